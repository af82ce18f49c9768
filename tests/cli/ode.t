$ printf '%s\n' 'import "lib/ode"' 'module ode = mk_ode f64' 'def decay (c: f64) (_: f64) (y: [100]f64) = map (\a -> -c * a) y' 'def by_steps steps c = f64.sum (ode.rk4 (decay c) 0 1 steps (replicate 100 1))' 'def o = ode.ode_defaults with relative = 1e-12 with absolute = 1e-12' 'def by_error t c = f64.sum (ode.dopri5 o (decay c) 0 t (replicate 100 1)).y' 'entry main (steps: i64) (t: f64) = (vjp (by_steps steps) 1 1, vjp (by_error t) 1 1)' > ode.fut
$ dagaz c --memory-limit 0 ode.fut
$ for limit in 0 200000; do echo 10000i64 50.0 | ./ode --memory-limit $limit -P > out$limit 2> report; peak=$(sed 's/.*peak.:\([0-9]*\).*/\1/' report); [ $limit = 0 ] && echo "$((peak / 100000)) x 100 KB"; [ "$peak" -le $limit ] && cmp out0 out$limit && echo fits; done
81 x 100 KB
fits
