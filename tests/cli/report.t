$ cp $DAGAZ_ROOT/tests/cli/report.c $DAGAZ_ROOT/tests/c/examples/*.[ch] $DAGAZ_ROOT/tests/cli/again.c .
$ dagaz report march.c -e "march(march y)/(y e)"
march: march_b
  activity
    place  is
    *y     active: input and output
    e      active: input
    s      active
  values kept for the reverse sweep
    line  value  how          bytes  needed by
    5     s      on the tape  8*k    lines 5, 6
    6     y[i]   on the tape  8*k    line 5
  loops
    line  trips  iterations
    4     k      in order, values are kept
  costs
    function  arithmetic  math functions  bytes kept
    march     3*k         k               0
    march_d   10*k        2*k             0
    march_b   11*k + 1    3*k             16*k
  assumptions
    `y` has k elements, as the largest index tells
    formulas: no loop has a negative number of trips
$ dagaz report report.c -e triangle -e iterations -e newton
triangle: triangle_b
  activity
    place  is
    *x     active: input
    s      active
  values kept for the reverse sweep
    line  value  how          bytes        needed by
    7     s      on the tape  4*n*n - 4*n  line 7
  loops
    line  trips  iterations
    6     n      in order, values are kept
    7     i      in order, values are kept
  costs
    function    arithmetic           math functions   bytes kept
    triangle    n*n - n              (n*n - n)/2      0
    triangle_d  (7*n*n - 7*n)/2      n*n - n          0
    triangle_b  (7*n*n - 7*n + 2)/2  (3*n*n - 3*n)/2  4*n*n - 4*n
  assumptions
    `x` has n elements, as the largest index tells
    formulas: no loop has a negative number of trips

iterations: iterations_b
  activity
    place  is
    *x     active: input
    sum    active
    s      active
  values kept for the reverse sweep
    line  value  how          bytes  needed by
    15    s      on the tape  8*n*m  line 15
  loops
    line  trips  iterations
    13    n      independent, values are kept
    15    m      in order, values are kept
  costs
    function      arithmetic       math functions  bytes kept
    iterations    n*m + n          n*m             0
    iterations_d  5*n*m + 2*n      2*n*m           0
    iterations_b  5*n*m + 2*n + 1  3*n*m           8*n*m
  assumptions
    `x` has n elements, as the largest index tells
    formulas: no loop has a negative number of trips

newton: newton_b
  activity
    place  is
    a      active: input
    x      active
  values kept for the reverse sweep
    line  value  how              bytes  needed by
    47    x      on the tape      8*t46  line 47
    46    trips  number of trips  0      the way back through it
  loops
    line  trips  iterations
    46    t46    in order, values are kept
  where it is not differentiable
    line  what                         where
    46    loop ended by active values  where it changes
    46    fabs                         at 0: derivative 0
    50    condition on active values   where it changes
    50    floor                        derivative 0 everywhere
    50    fmax                         where both are equal
  costs
    function  arithmetic          math functions   bytes kept
    newton    at most 5*t46 + 1   at most t46 + 1  0
    newton_d  at most 10*t46 + 2  at most t46 + 2  0
    newton_b  at most 11*t46 + 3  at most t46 + 1  at most 8*t46
  assumptions
    formulas: no loop has a negative number of trips
    t46: the trips of the loop in line 46, on average
$ dagaz report report.c -e calls --json
[{"function": "calls", "adjoint": "calls_b",
  "activity": [
    {"place": "*x", "is": "active: input"},
    {"place": "s", "is": "active"}],
  "kept": [
    {"line": 29, "value": "t", "how": "on the tape", "bytes": "8*n", "needed by": "line 29"},
    {"line": 29, "value": "s", "how": "on the tape", "bytes": "8*n", "needed by": "line 29"}],
  "loops": [
    {"line": 29, "trips": "n", "iterations": "in order, values are kept"}],
  "costs": [
    {"function": "calls", "arithmetic": "n*n", "math functions": "(n*n - n)/2", "bytes kept": "0"},
    {"function": "calls_d", "arithmetic": "(7*n*n + n)/2", "math functions": "n*n - n", "bytes kept": "0"},
    {"function": "calls_b", "arithmetic": "(9*n*n + 3*n + 2)/2", "math functions": "(3*n*n - 3*n)/2", "bytes kept": "16*n"}],
  "assumptions": [
    {"assumption": "`x` has n elements, as the largest index tells"},
    {"assumption": "formulas: no loop has a negative number of trips"}]},
{"function": "power", "adjoint": "power_b",
  "activity": [
    {"place": "x", "is": "active: input"},
    {"place": "p", "is": "active"}],
  "kept": [
    {"line": 23, "value": "p", "how": "on the tape", "bytes": "8*k", "needed by": "line 23"}],
  "loops": [
    {"line": 23, "trips": "k", "iterations": "in order, values are kept"}],
  "costs": [
    {"function": "power", "arithmetic": "2*k", "math functions": "k", "bytes kept": "0"},
    {"function": "power_d", "arithmetic": "7*k", "math functions": "2*k", "bytes kept": "0"},
    {"function": "power_b", "arithmetic": "7*k + 1", "math functions": "2*k", "bytes kept": "8*k"}]}]
$ dagaz report report.c -e calls --json | python3 -c 'import json, sys; print([f["function"] for f in json.load(sys.stdin)])'
['calls', 'power']
$ dagaz report polar.c -e "move(p dt -> q)" --html | sed 's/<style>.*style>//'
<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>polar.c</title>
</head>
<body>
<h1>polar.c</h1>
<h2>move: move_b</h2>
<h3>activity</h3>
<table>
<tr><th>place</th><th>is</th></tr>
<tr><td>*p</td><td>active: input</td></tr>
<tr><td>dt</td><td>active: input</td></tr>
<tr><td>*q</td><td>active: output</td></tr>
<tr><td>r</td><td>active</td></tr>
<tr><td>phi</td><td>active</td></tr>
</table>
<h3>costs</h3>
<table>
<tr><th>function</th><th>arithmetic</th><th>math functions</th><th>bytes kept</th></tr>
<tr><td>move</td><td>11</td><td>4</td><td>0</td></tr>
<tr><td>move_d</td><td>at most 50</td><td>at most 14</td><td>0</td></tr>
<tr><td>move_b</td><td>at most 51</td><td>at most 15</td><td>0</td></tr>
</table>
<h3>assumptions</h3>
<table>
<tr><td>`p` has 2 elements, as the largest index tells</td></tr>
<tr><td>`q` has 2 elements, as the largest index tells</td></tr>
<tr><td>`p`, `q` point to different memory</td></tr>
<tr><td>formulas: no loop has a negative number of trips</td></tr>
</table>
<h2>polar: polar_fwd, polar_bwd</h2>
<h3>activity</h3>
<table>
<tr><th>place</th><th>is</th></tr>
<tr><td>x</td><td>active: input</td></tr>
<tr><td>y</td><td>active: input</td></tr>
<tr><td>*r</td><td>active: input and output</td></tr>
<tr><td>*phi</td><td>active: input and output</td></tr>
</table>
<h3>where it is not differentiable</h3>
<table>
<tr><th>line</th><th>what</th><th>where</th></tr>
<tr><td>3</td><td>sqrt</td><td>at 0: derivative 0</td></tr>
</table>
<h3>costs</h3>
<table>
<tr><th>function</th><th>arithmetic</th><th>math functions</th><th>bytes kept</th></tr>
<tr><td>polar</td><td>3</td><td>2</td><td>0</td></tr>
<tr><td>polar_d</td><td>at most 18</td><td>at most 10</td><td>0</td></tr>
<tr><td>polar_fwd</td><td>3</td><td>2</td><td>0</td></tr>
<tr><td>polar_bwd</td><td>at most 20</td><td>at most 9</td><td>0</td></tr>
</table>
</body>
</html>
$ dagaz report exits.c -e sumtil | sed -n '/kept for/,/loops/p'
  values kept for the reverse sweep
    line  value     how                          bytes  needed by
    6     left      on the tape                  8*t4   line 4
    8     vec[i]    on the tape                  8*t4   lines 5, 7
    6     ret > 30  which branch was taken       8*t4   the way back through it
    4     i         undone by the opposite step  0      lines 5, 7, 8
    4     trips     number of trips              0      the way back through it
  loops
$ dagaz report report.c -e nothing
Error:
No function `nothing` is defined.
[2]
$ dagaz report report.c
dagaz: which function? say -e "f(outputs)/(inputs)"
[1]
$ size() { sh $DAGAZ_ROOT/tests/cli/report_bytes.sh "$@"; }; size march "march(march y)/(y e)" "y[k]" k=5 k=9; size relax "relax(u f c->u)" "" n=9,steps=3 n=12,steps=5; size again "part(part)/(x)" "x[n*m]" n=3,m=4 n=5,m=6; size mixture "log_sum_exp(log_sum_exp)/(x)" "x[n]" n=3 n=7; for f in triangle iterations calls records; do size report "$f($f)/(x)" "" n=3,m=2 n=7,m=8; done
march(march y)/(y e) k=5: 16*k = 80, measured 80: same
march(march y)/(y e) k=9: 16*k = 144, measured 144: same
relax(u f c->u) n=9,steps=3: 8*n*steps - 16*steps = 168, measured 168: same
relax(u f c->u) n=12,steps=5: 8*n*steps - 16*steps = 400, measured 400: same
part(part)/(x) n=3,m=4: 8*n*m - 8*n = 72, measured 72: same
part(part)/(x) n=5,m=6: 8*n*m - 8*n = 200, measured 200: same
log_sum_exp(log_sum_exp)/(x) n=3: at most 8*n - 8 = 16, measured 16: not more
log_sum_exp(log_sum_exp)/(x) n=7: at most 8*n - 8 = 48, measured 48: not more
triangle(triangle)/(x) n=3,m=2: 4*n*n - 4*n = 24, measured 24: same
triangle(triangle)/(x) n=7,m=8: 4*n*n - 4*n = 168, measured 168: same
iterations(iterations)/(x) n=3,m=2: 8*n*m = 48, measured 48: same
iterations(iterations)/(x) n=7,m=8: 8*n*m = 448, measured 448: same
calls(calls)/(x) n=3,m=2: 16*n = 48, measured 48: same
calls(calls)/(x) n=7,m=8: 16*n = 112, measured 112: same
records(records)/(x) n=3,m=2: 16*n = 48, measured 48: same
records(records)/(x) n=7,m=8: 16*n = 112, measured 112: same
