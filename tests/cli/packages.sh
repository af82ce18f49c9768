# dagaz pkg with git repositories as mirrors; prints what differs from packages.want, then
# "done".  Without git there is nothing to compare.   packages.sh
command -v git > /dev/null || { echo done; exit; }
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
export GIT_AUTHOR_DATE='2020-01-01T00:00:00Z' GIT_COMMITTER_DATE='2020-01-01T00:00:00Z'
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export DAGAZ_PKG_MIRROR=../m
begin() { mkdir -p "m/github.com/u/$1/lib/github.com/u/$1"; cd "m/github.com/u/$1" && git init -q; }
release() { git add -A; git commit -q -m "$1"; git tag "v$1"; }
manifest() { name=$1; shift; printf 'package github.com/u/%s\nrequire {\n' "$name"; printf '  github.com/u/%s %s\n' "$@"; echo '}'; }
def() { echo "def $1 = $2" > "lib/github.com/u/$1/$1.fut"; }
mkdir git; cd git
(begin old; printf 'package github.com/u/old\n' > futhark.pkg; def old 1; release 1.0.0)
(begin bar; manifest bar old 1.0.0 > futhark.pkg; def bar 1; release 0.1.0
 printf 'package github.com/u/bar\n' > futhark.pkg; def bar 2; release 0.2.0; def bar 3; release 0.10.0)
(begin foo; manifest foo bar 0.2.0 > futhark.pkg; def foo 1; release 1.0.0; def foo 2; release 1.1.0
 git mv lib/github.com/u/foo lib/github.com/u/foo@2; sed -i 's,u/foo,u/foo@2,' futhark.pkg
 release 2.0.0; git tag v1.2; git tag v1.3.0-rc1; git tag 1.4.0)
(begin none; printf 'package github.com/u/none/\n' > futhark.pkg; def none 1; git add -A; git commit -q -m x)
mkdir p; cd p
run() { echo "> $*"; dagaz pkg "$@" 2>&1 || echo "[$?]"; }
{
run versions github.com/u/foo
run versions github.com/u/foo@2
run versions github.com/u/bar
run add github.com/u/foo
run add github.com/u/bar 0.1.0
run add github.com/u/none
run add github.com/u/foo@2
cat futhark.pkg
# bar 0.1.0 asks for old, but foo asks for bar 0.2.0, which does not
run check
run sync
find lib -type f | sort
run upgrade
run remove github.com/u/foo@2
run sync
cat lib/github.com/u/*/*.fut
run add github.com/u/bar 0.9.0
run add github.com/u/foo 2.0.0
run add github.com/u/missing | sed "s,'/.*/git/,'DIR/,"
sed -i 's/#[0-9a-f]/#0123/' futhark.pkg
run check | sed 's/hash [0-9a-f]*/hash H/; s/expects [0-9a-f]*/expects X/'
ls -A; ls "${TMPDIR:-/tmp}" | grep "^dagaz\..*\.$$\." 
} > ../got
diff "$DAGAZ_ROOT/tests/cli/packages.want" ../got
echo done
