$ printf '%s\n' '-- ==' '-- input { 10 } output { 11 }' '-- input { 1 } output { 3 }' '-- input { 0 } error: Assertion' 'entry main (x: i32) = assert (x > 0) (x + 1)' > a.fut
$ dagaz test --interp a.fut
FAILED a.fut main #1 (1): result 0: element 0 is 2i32, expected 3i32
2 passed, 1 failed
[1]
$ printf '%s\n' '-- ==' '-- error: Unknown name' 'entry main (x: i32) = y' > b.fut; dagaz test b.fut
1 passed, 0 failed
$ printf '%s\n' '-- ==' '-- random input { [10]f64 3i64 } auto output' 'entry main (xs: []f64) (i: i64) = xs[i]' > c.fut; dagaz test --interp c.fut
1 passed, 0 failed
$ # The cases of one entry point, whose script calls another.
$ printf '%s\n' '-- ==' '-- entry: twice' '-- script input { start 3 } output { 8 }' 'entry start (x: i32) = x + 1' 'entry twice (x: i32) = 2 * x' '-- ==' '-- entry: other' '-- input { 1 } output { 1 }' 'entry other (x: i32) = x' > d.fut; dagaz test -e twice d.fut; dagaz test -e other d.fut; dagaz test d.fut
1 passed, 0 failed
1 passed, 0 failed
2 passed, 0 failed
