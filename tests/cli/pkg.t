$ dagaz pkg frob
usage: dagaz pkg COMMAND [--mirror DIR] [-v]

Commands:
  add      PKGPATH [X.Y.Z]   require a package (its newest version)
  check                      check that all requirements can be met
  init     PKGPATH           begin a package: futhark.pkg and its folder
  fmt                        lay out futhark.pkg
  sync                       make lib/ hold the required packages
  remove   PKGPATH           no longer require a package
  upgrade                    require the newest versions
  versions PKGPATH           list the versions of a package
[1]
$ dagaz pkg add
usage: dagaz pkg add PKGPATH [X.Y.Z]
[1]
$ dagaz pkg init ../x
dagaz: '../x' is no package path; one has the form github.com/user/repo
[1]
$ dagaz pkg check; dagaz pkg sync; ls -A
futhark.pkg not found - pretending it's empty.
Dependencies chosen:
futhark.pkg not found - pretending it's empty.
$ mkdir p; cd p; dagaz pkg init github.com/me/mine; dagaz pkg init github.com/me/mine; cat futhark.pkg; dagaz pkg check
Created directory lib/github.com/me/mine.
Wrote futhark.pkg.
dagaz: futhark.pkg already exists
package github.com/me/mine

require {
}
Dependencies chosen:
Problem: the directory lib/github.com/me/mine does not contain any .fut files.
[1]
$ mkdir -p m/github.com/u/a/lib/github.com/u/a/sub m/github.com/u/b/lib/github.com/u/b; printf 'package github.com/u/a require { github.com/u/b 1.2.0 }' > m/github.com/u/a/futhark.pkg; echo package github.com/u/b > m/github.com/u/b/futhark.pkg; echo 'import "sub/c" import "../b/b" def a = b + c' > m/github.com/u/a/lib/github.com/u/a/a.fut; echo 'def c = 1i32' > m/github.com/u/a/lib/github.com/u/a/sub/c.fut; echo 'def b = 2i32' > m/github.com/u/b/lib/github.com/u/b/b.fut
$ cd p; echo 'def mine = 5' > lib/github.com/me/mine/mine.fut; dagaz pkg add --mirror ../m github.com/u/a 2>&1 | sed "s,'/.*/p/,'DIR/,"; dagaz pkg add --mirror ../m github.com/u/a 1.0.0; dagaz pkg check --mirror ../m; dagaz pkg sync -v --mirror ../m; find lib -type f | sort; printf 'import "lib/github.com/u/a/a"\nentry main = a' > x.fut; dagaz run --interp x.fut < /dev/null
dagaz: 'DIR/../m/github.com/u/a' is a plain folder, whose versions are not known: name a version, as in `dagaz pkg add github.com/u/a 1.0.0`
Added new required package github.com/u/a 1.0.0.
Remember to run 'dagaz pkg sync'.
Dependencies chosen:
github.com/u/a => 1.0.0
github.com/u/b => 1.2.0
lib/github.com/u/a/a.fut
lib/github.com/u/a/sub/c.fut
lib/github.com/u/b/b.fut
lib/.dagaz-pkg
lib/github.com/me/mine/mine.fut
lib/github.com/u/a/a.fut
lib/github.com/u/a/sub/c.fut
lib/github.com/u/b/b.fut
3i32
$ cd p; echo mine > lib/notes; echo '-- mine' >> lib/github.com/u/a/sub/c.fut; ln -s nowhere lib/link; DAGAZ_PKG_MIRROR=../m dagaz pkg sync; ls -A; ls lib; tail -1 lib~old/github.com/u/a/sub/c.fut; cat lib/github.com/u/a/sub/c.fut
dagaz: files in lib/ were changed since they came from a package; the old folder is kept as lib~old
futhark.pkg
lib
lib~old
x.fut
github.com
link
notes
-- mine
def c = 1i32
$ cd p; dagaz pkg remove github.com/u/a; dagaz pkg remove github.com/u/a; DAGAZ_PKG_MIRROR=../m dagaz pkg sync; find lib -type f | sort; ls -d lib~old*
Removed github.com/u/a 1.0.0.
dagaz: no package github.com/u/a found in futhark.pkg
lib/github.com/me/mine/mine.fut
lib/notes
lib~old
$ cd p; DAGAZ_PKG_MIRROR=../none dagaz pkg add github.com/u/a 1.0.0 2>&1 | sed "s,'/.*/p/,'DIR/,"
dagaz: package github.com/u/a cannot be fetched: there is no folder 'DIR/../none/github.com/u/a'.
Copy its repository to DIR/github.com/u/a and say --mirror DIR (or set DAGAZ_PKG_MIRROR), or put the files of the package in lib/github.com/u/a.
$ cd p; mkdir -p lib/github.com/u/a; echo 'def a = 3i32' > lib/github.com/u/a/a.fut; export DAGAZ_PKG_MIRROR=../none; (dagaz pkg add github.com/u/a 1.0.0; dagaz pkg check; dagaz pkg sync) 2>&1 | sed "s,'/.*/p/,'DIR/,"; cat lib/github.com/u/a/a.fut
Added new required package github.com/u/a 1.0.0.
Remember to run 'dagaz pkg sync'.
Dependencies chosen:
github.com/u/a => 1.0.0 (in lib/; cannot be fetched, so not verified)
dagaz: lib/github.com/u/a stays as it is: there is no folder 'DIR/../none/github.com/u/a'
def a = 3i32
$ mkdir q; cd q; printf -- '-- top\n\npackage   a/b -- of ours\nrequire\n{ -- in\nc/d  1.0.0 -- why\n\nc/e@2 2.1.0 #29af } -- end\n' > futhark.pkg; dagaz pkg fmt; cat futhark.pkg; cp futhark.pkg once; dagaz pkg fmt; cmp once futhark.pkg
-- top
package a/b

-- of ours
require {
  -- in
  c/d 1.0.0
  -- why
  c/e@2 2.1.0 #29af
}
-- end
$ cd q; for s in 'require {' 'require { a/b 1 }' 'package -x' 'require { a/../b 1.0.0 }' 'require { /a 1.0.0 }' 'require { a 1234567890123456789.0.0 }' 'require { a 1.0.0 #xy }' 'require {} again'; do echo "$s" > futhark.pkg; dagaz pkg fmt; echo $?; done
Error at futhark.pkg:2:1: a package path or '}' was expected before the end.
    2 | 
      | ^
2
Error at futhark.pkg:1:15: a version was expected here, as in 1.2.3.
    1 | require { a/b 1 }
      |               ^
2
Error at futhark.pkg:1:9: a package path was expected here, as in github.com/user/repo.
    1 | package -x
      |         ^
2
Error at futhark.pkg:1:11: a package path was expected here, as in github.com/user/repo.
    1 | require { a/../b 1.0.0 }
      |           ^
2
Error at futhark.pkg:1:11: a package path was expected here, as in github.com/user/repo.
    1 | require { /a 1.0.0 }
      |           ^
2
Error at futhark.pkg:1:13: a version was expected here, as in 1.2.3.
    1 | require { a 1234567890123456789.0.0 }
      |             ^
2
Error at futhark.pkg:1:19: the hash of a commit has hexadecimal digits.
    1 | require { a 1.0.0 #xy }
      |                   ^
2
Error at futhark.pkg:1:12: 'package PATH' or 'require { .. }' was expected here.
    1 | require {} again
      |            ^
2
$ cd q; echo 'require { a/b 1.0.0 }' > futhark.pkg; mkdir -p m/a/b/lib; dagaz pkg sync --mirror m; echo 'require {}' > m/a/b/futhark.pkg; dagaz pkg sync --mirror m; echo 'package a/b' > m/a/b/futhark.pkg; dagaz pkg sync --mirror m; echo 'package a/b requires' > m/a/b/futhark.pkg; dagaz pkg sync --mirror m; ls -A; touch lib; mkdir -p m/a/b/lib/a/b; echo > m/a/b/lib/a/b/c; echo package a/b > m/a/b/futhark.pkg; dagaz pkg sync --mirror m
dagaz: cannot read a/b/futhark.pkg of version 1.0.0: No such file or directory
dagaz: a/b/futhark.pkg of version 1.0.0 does not name the package's path
dagaz: package a/b 1.0.0 has no files in its folder lib/a/b
Error at a/b/futhark.pkg of version 1.0.0:1:13: 'package PATH' or 'require { .. }' was expected here.
    1 | package a/b requires
      |             ^
futhark.pkg
m
once
dagaz: 'lib' is not a folder; move it away, `dagaz pkg sync` makes a folder of that name
[1]
$ sh $DAGAZ_ROOT/tests/cli/packages.sh
done
