$ # What a call consumes is not copied: memory grows like the array (bytes for 1000 and 8000 numbers).
$ printf '%s\n' 'def fill [n] (a: *[n]f64) (i: i64) : *[n]f64 = if i == n then a else fill (a with [i] = a[i] + 1) (i + 1)' 'def sines [n] (a: *[n]f64) (lo: i64) (hi: i64) : *[n]f64 =' '  if hi - lo <= 1 then a with [lo] = f64.sin a[lo]' '  else let m = (lo + hi) / 2' '       let a = sines a m hi' '       let a = sines a lo m' '       in a with [lo] = a[lo] + 1' 'def other [n] (k: i64) (a: *[n]f64) : *[n]f64 =' '  if k == 0 then map (+ 1) a else let r = other (k - 1) (a with [0] = 1) in r with [n - 1] = r[0]' 'entry main_fill (n: i64) = f64.sum (fill (replicate n 1) 0)' 'entry main_sines (n: i64) = f64.sum (sines (replicate n 1) 0 n)' 'entry main_other (n: i64) = f64.sum (other n (replicate n 1))' > up.fut
$ dagaz c up.fut; for e in main_fill main_sines main_other; do for n in 1000 8000; do echo $n | ./up -e $e -P 2>&1 > out | sed 's/.*"peak":\([0-9]*\).*/\1/'; done; done
8192
65536
8192
65536
16384
131072
