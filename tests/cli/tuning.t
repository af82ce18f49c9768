$ printf '%s\n' '-- ==' '-- input { 300000i64 }' '-- input { 10i64 }' 'entry main (n: i64) = f64.sum (map (\i -> f64.exp (f64.i64 i / 1e6)) (iota n))' > p.fut; dagaz multicore p.fut -o p && ./p --print-params
default_threshold (threshold)
$ printf '%s\n' '-- a remark' 'default_threshold=1000' 'another=7' > all.tuning; for o in '' '--tuning all.tuning' '--param default_threshold=0' '--param default_threshold=99999999999'; do echo 300000 | ./p $o; done | uniq -c | sed 's/^ *//'
4 349858.63264662848f64
$ dagaz autotune p.fut | sed -E 's/[0-9]+\.[0-9]+ times as fast|slower on an input/G/; s/^(p.fut.tuning: default_threshold=|No value of default_threshold is).*/end/'
default_threshold=8192: G
default_threshold=32768: G
default_threshold=131072: G
default_threshold=524288: G
default_threshold=2097152: G
default_threshold=8388608: G
end
$ dagaz autotune --backend c p.fut; echo 'def f = 1' > empty.fut; dagaz autotune empty.fut; dagaz autotune
dagaz: a program of --backend c or gpu-host has nothing to tune
Warning at empty.fut:1:9-10:
Defaulting ambiguous type to i32.
    1 | def f = 1
      |         ^ [defaulted]
dagaz: no test blocks with inputs in empty.fut
usage: dagaz autotune FILE.fut [--backend B]  (dagaz help autotune says more)
[1]
$ echo 'default_threshold=x' > p.fut.tuning; dagaz test --backend multicore p.fut | sed 's|: /.*/program|: program|'; echo 'default_threshold=1000' > p.fut.tuning; dagaz test --backend multicore p.fut
FAILED p.fut main #0 (300000i64): program: Invalid line 1 in p.fut.tuning (must be of the form NAME=VALUE)

FAILED p.fut main #1 (10i64): program: Invalid line 1 in p.fut.tuning (must be of the form NAME=VALUE)

0 passed, 2 failed
2 passed, 0 failed
