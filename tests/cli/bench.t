$ printf '%s\n' '-- ==' '-- entry: f' '-- random input { [1000]f64 }' '-- "scripted" script input { make 10 }' '-- nobench input { [1.0] }' '-- input { [1.0] } error: none' 'entry f (xs: []f64) = f64.sum xs' 'entry make (n: i64) = replicate n 1f64' > b.fut; CFLAGS=-O0 dagaz bench --runs 5 --json a.json b.fut | sed 's/: [0-9.]* us.*/: T/'; tr -d '0-9. \n' < a.json; echo
b.fut:f (#0 random): T
b.fut:f (scripted): T
{"bfut:f":{"datasets":{"#random":{"runtimes":[,,,,]},"scripted":{"runtimes":[,,,,]}}}}
$ printf '%s\n' '{"p.fut": {"datasets": {"x": {"runtimes": [10,10,11,10,10,10,10,10,10,10]}, "y": {"runtimes": [5,6,7]}, "only": {"runtimes": [1]}}}, "q.fut": {}}' > old.json; printf '%s\n' '{"p.fut": {"datasets": {"x": {"runtimes": [5,5,5,5,5,5,5,5,5,5]}, "y": {"runtimes": [6,6,6]}}}}' > new.json; dagaz bench --compare old.json new.json
p.fut
  x                                              10.0 us ->        5.0 us    2.00x faster
  y                                               6.0 us ->        6.0 us    1.00x
1 faster, 0 slower, 1 within the noise, 2 without partner; geometric mean 1.41x
$ dagaz bench --compare old.json
usage: dagaz bench FILE.. | --compare OLD.json NEW.json  (dagaz help bench says more)
[1]
$ echo '{"a": [[' > bad.json; dagaz bench --compare bad.json new.json
dagaz: 'bad.json' holds no results of dagaz bench --json
[1]
$ printf '%s\n' '-- ==' '-- entry: small' '-- random input { [2]f64 }' '-- entry: large' '-- random input { [10000]f64 }' '-- entry: fixed' '-- input { }' 'def g (xs: []f64) = vjp (\x -> f64.sum (map f64.sin x)) xs 1' 'entry small (xs: []f64) = g xs' 'entry large (xs: []f64) = (g xs)[0]' 'entry fixed = g [1, 2]' > g.fut; dagaz bench --runs 20 g.fut > times; awk '{t[NR] = $4} END {print (t[1] > 0 && t[2] > 20 * t[1]) ? "as long as it takes" : t[1] " and " t[2]}' times; sed -n 's/.*): //p' times | tail -1
as long as it takes
without input, a constant that is computed before the runs
