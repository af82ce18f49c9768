$ for n in 10 400 1200; do awk -v n=$n 'BEGIN { print "entry main (xs: []f64) = map (\\x0 ->"; for (i = 1; i <= n; i++) print "let x" i " = x" i - 1 " * 0.5 + " i; print "in x" n ") xs" }' > l.fut; dagaz c --c-only -o l l.fut; grep -c '^DZ_SIMD$' l.c || true; done
1
1
0
$ # Divisions by constants have lanes.
$ printf '%s\n' 'entry one [n] (k: u16) (x: [n]u16) = map (\v -> u16.u32 (u32.u16 v * u32.u16 k %% 0x10001u32)) x' 'entry rest [n] (x: [n]u32) = map (\v -> v %% 0x10001u32) x' 'entry part [n] (x: [n]i32) = map (\v -> v / 7) x' > r.fut; dagaz ir -O --imp r.fut | grep -c 'parallel simd'
3
$ # Programs whose strips compute with f32 alone have twice the lanes; with f64 as well they have not.
$ for t in f32 f64; do printf '%s\n' "entry main (x: []f32) = map f32.sin (map (\a -> f32.$t ($t.sqrt ($t.f32 a + 2))) x)" > s.fut; dagaz c --c-only -o s s.fut; grep -c '^#define DZ_SINGLE' s.c || true; done
1
0
