$ for i in $(seq 200); do echo "entry f$i(x:i32)=x+$i*(x-1)"; done > a.fut; cp a.fut old; chmod 640 a.fut; ln -s a.fut link.fut; ln old hard.fut
$ (trap '' XFSZ; ulimit -f 8; dagaz fmt a.fut)
dagaz: cannot write 'a.fut': File too large
[1]
$ cmp a.fut old; ls -A
a.fut
hard.fut
link.fut
old
$ (trap '' XFSZ; ulimit -f 8; dagaz fmt hard.fut)
dagaz: cannot write 'hard.fut': File too large
[1]
$ cmp a.fut old
$ dagaz fmt link.fut; dagaz fmt --check a.fut; ls -l a.fut link.fut | cut -c1-10
-rw-r-----
lrwxrwxrwx
$ dagaz fmt hard.fut; cmp a.fut old; ls -A
a.fut
hard.fut
link.fut
old
$ printf 'entry main (n: i64) : []i64 = iota n\nentry two : i64 = 2\n' > s.fut; dagaz c --server s.fut -o s; ./s < /dev/null
%%% OK
$ printf '\007\000\000\000\000\000\000\000' | sh -c 'printf "b\002\000 i64"; cat' > n.bin; printf 'restore n.bin n i64\nstore keep.bin n\n' | ./s | sort -u; ls keep.bin; cmp n.bin keep.bin
%%% OK
keep.bin
$ chmod 600 keep.bin; printf '\000\000\001\000\000\000\000\000' | sh -c 'printf "b\002\000 i64"; cat' > m.bin
$ (trap '' XFSZ; ulimit -f 8; printf 'restore m.bin n i64\ncall main x n\nstore keep.bin x\n' | ./s | grep -v -e runtime -e OK); cmp n.bin keep.bin; ls -A | grep store
%%% FAILURE
Failed to write keep.bin: File too large
[1]
$ printf 'restore m.bin n i64\ncall main x n\nstore keep.bin x\n' | ./s | grep -v runtime; ls -l keep.bin | cut -c1-10; wc -c < keep.bin
%%% OK
%%% OK
%%% OK
%%% OK
-rw-------
524303
$ echo 'entry main = 3i32' > p.fut; echo 'an older program' > p; cp p older; CC=false dagaz c p.fut > /dev/null 2>&1; echo $?; cmp p older; ls -A | grep dagaz-; dagaz c p.fut && ./p
1
3i32
