$ printf '%s\n' 'type s = #none | #some i32' 'type rec = {a: i32, b: f64}' 'type deep = {r: rec, q: s, p: (s, i64)}' 'entry mk (n: i64) : []s = tabulate n (\i -> if i % 2 == 0 then #some (i32.i64 i) else #none)' 'entry use [n] (xs: [n]s) : i32 = i32.sum (map (\x -> match x case #none -> 100i32 case #some i -> i) xs)' 'entry mk_deep (n: i64) : []deep = tabulate n (\i -> {r = {a = i32.i64 i, b = 1}, q = #some 3, p = (#none, i)})' 'entry use_deep [n] (xs: [n]deep) : i32 = i32.sum (map (\x -> x.r.a + match x.q case #none -> 0i32 case #some i -> i) xs)' 'entry mk_rec (n: i64) : []rec = tabulate n (\i -> {a = i32.i64 i, b = 1})' 'entry inc2 (xs: *[]i64) (ys: []i64) : ([]i64, []i64) = (xs with [0] = 7, copy ys)' 'entry range (n: i64) : []i64 = iota n' > s.fut; dagaz c --server s.fut -o s
$ printf 'b\002\000 i64\005\000\000\000\000\000\000\000' > n.bin
$ printf '%s\n' 'restore n.bin n i64' 'call mk a n' 'store a.bin a' 'restore a.bin b []s' 'call use r b' 'store r.bin r' | ./s | grep -v -e OK -e runtime; od -An -tx1 r.bin
 62 02 00 20 69 33 32 ce 00 00 00
$ printf '%s\n' 'restore n.bin n i64' 'call mk_deep a n' 'store a.bin a' 'restore a.bin b []deep' 'call use_deep r b' 'store r.bin r' | ./s | grep -v -e OK -e runtime; od -An -tx1 r.bin
 62 02 00 20 69 33 32 19 00 00 00
$ size() { printf "\\$(printf %03o $1)\000\000\000\000\000\000\000"; }; rec() { printf 'DZO1'; size 5; printf '[]recb\002\001 i32'; size $1; head -c $((4 * $1)) /dev/zero; printf 'b\002\001 f64'; size $2; head -c $((8 * $2)) /dev/zero; }; rec 2 2 > good.bin; rec 9 1 > bad.bin; sums() { printf 'DZO1'; size 3; printf '[]sb\002\001  u8'; size 2; printf "\\000\\$1"; printf 'b\002\001 i32'; size 2; head -c 8 /dev/zero; }; sums 001 > sum.bin; sums 002 > nosum.bin
$ printf '%s\n' 'restore good.bin r []rec' 'index x r 1' 'restore bad.bin r2 []rec' 'restore sum.bin y []s' 'restore nosum.bin z []s' 'restore a.bin d []deep' | ./s
%%% OK
%%% OK
%%% OK
%%% FAILURE
Error: line 1, column 1: stored value of type []rec is damaged
%%% OK
%%% OK
%%% FAILURE
Error: line 1, column 1: stored value of type []s is damaged
%%% OK
%%% OK
$ head -c 200 a.bin > cut.bin; printf 'restore cut.bin d []deep\n' | ./s | tail -3
%%% FAILURE
Error: line 1, column 1: binary value is truncated: 20 bytes of payload expected
%%% OK
$ printf '%s\n' 'restore n.bin n i64' 'call range x n' 'call range y n' 'call inc2 o o x y' 'call inc2 o p x x' 'call inc2 o p x y' 'free o p' | ./s | grep -v runtime
%%% OK
%%% OK
%%% OK
%%% OK
%%% FAILURE
Variable named twice: o
%%% OK
%%% FAILURE
Error: argument 0 is consumed and is also argument 1
%%% OK
%%% OK
%%% OK
$ n=1100; (printf 'entry main (x: i32) : (('; for i in $(seq $n); do printf 'i32,'; done; printf 'i32),i32) = (('; for i in $(seq $n); do printf "x+$i,"; done; echo 'x), x)') > many.fut; echo 1 | dagaz run many.fut | tail -4
1100i32
1101i32
1i32
1i32
