#!/usr/bin/env python3
"""Do derivatives, and the time it takes to compile them, grow in step with the program?

    python3 bench/ad/growth.py [--dagaz build/dagaz] [--sizes 10,40,160,640] [--derive] [FAMILY..]

Every family makes functions of any size that stress one rule of reverse mode.  For each size: the
statements of the derivative after optimisation over those of its value (`dagaz explain`), the user
time and the memory of `dagaz c --c-only` (least of three) and their exponents between neighbouring
sizes: 1 is linear.  More than ten times as many statements at the largest size, or an exponent above
1.35 at more than 200 ms or 200 MB, is reported and makes the exit status 1.  Families `nested_..` grow in depth: a statement at
depth d is written up to d + 1 times (doc/ad.md 4.1), so they are only shown.  `--derive` measures
`dagaz derive --expand` instead, which prints the derivative as source text.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from programs import ARRAY, SCALAR, USERS, arrays, function, lets


def chain(n):
    """scalar operations"""
    return function("(_n: i64) (x0: f64) : f64", lets(n, "x{j} = f64.sin x{i} * x{h}") + f"in x{n}", SCALAR)


def loops(n):
    """loops in a row"""
    body = lets(n, "x{j} = loop y = x{i} for _j < n do y * f64.sin y")
    return function("(n: i64) (x0: f64) : f64", body + f"in x{n}", SCALAR)


def loop_body(n, attribute=""):
    """one loop with a long body"""
    body = lets(n, "x{j} = f64.sin x{i} * x{h}")
    return function("(n: i64) (x: f64) : f64",
                    f"{attribute}loop x0 = x for _i < n do\n  {body}in x{n}", SCALAR)


def bounded_body(n):
    """one loop with a long body, its memory bounded"""
    return loop_body(n, "#[checkpoint(4)] ")


def bounded_blocks(n):
    """the same over rows, in blocks"""
    body = lets(n, "x{j} = f64.sin x{i} * x{h}")
    return ("def f [m] (t: i64) (s: [m][8]f64) : [m][8]f64 = #[checkpoint(3)] loop s for _i < t do\n"
            f"  map (\\r -> let x0 = f64.sum r\n  {body}in map (\\y -> 0.5 * y + x{n}) r) s\n"
            "entry main [m] (t: i64) (x: [m][8]f64) (s: [m][8]f64) = vjp (f t) x s")


def branches(n):
    """branches in a row"""
    body = lets(n, "x{j} = if c[{m}] then f64.sin x{i} * x{i} else f64.cos x{i} * x{i}")
    return function("(c: [20]bool) (x0: f64) : f64", body + f"in x{n}",
                    "entry main (c: [20]bool) (x: f64) = vjp (f c) x 1")


def updates(n):
    """updates in place"""
    body = lets(n, "x{j} = x{i} with [{i}] = x{i}[{j}] * f64.sin x{i}[{i}]")
    return function("[n] (x: [n]f64) : [n]f64", "let x0 = copy x\n  " + body + f"in x{n}", ARRAY)


def gathers(n):
    """reads of one array at places from data"""
    body = lets(n, "y{i} = map (\\i -> f64.sin x[i] * {i}.5) is")
    total = " + ".join(f"f64.sum y{i}" for i in range(n))
    return function("[n] (is: [n]i64) (x: [n]f64) : f64", body + "in " + total,
                    "entry main [n] (is: [n]i64) (x: [n]f64) = vjp (f is) x 1")


def scans(n):
    """scans with any operator over maps"""
    return arrays(n, "x{j} = scan (\\a b -> a * b + f64.sin b) 0 (map f64.sin x{i})")


def histograms(n):
    """histograms"""
    body = lets(n, "x{j} = hist (+) 0 n is (map (\\y -> y * f64.sin y) x{i})")
    return function("[n] (is: [n]i64) (x0: [n]f64) : [n]f64", body + f"in x{n}",
                    "entry main [n] (is: [n]i64) (x: [n]f64) (s: [n]f64) = vjp (f is) x s")


def second(n):
    """second derivatives of scalar operations"""
    return chain(n).replace("vjp (f n) x 1", "vjp (\\y -> vjp (f n) y 1) x 1")


def nested_loops(n):
    """loops in loops"""
    n = max(1, n // 10)
    opening = "".join(f"let y{i + 1} = loop y{i + 1} = f64.sin y{i} for _i < n do\n  " for i in range(n))
    closing = "".join(f"  in f64.cos y{i + 1}\n" for i in reversed(range(n)))
    return (f"def f (n: i64) (y0: f64) : f64 =\n  {opening}f64.sin y{n} * y{n}\n{closing}" + SCALAR)


def nested_sums(n):
    """sums of maps in sums of maps"""
    n = max(1, n // 10)
    opening = "".join(f"f64.sum (map (\\a{i} -> let x{i + 1} = f64.sin (x{i} * a{i}) in x{i + 1} * "
                      for i in range(n))
    return ("def f [n] (xs: [n]f64) (x0: f64) : f64 = " + opening + f"f64.exp x{n}" + ") xs)" * n +
            "\nentry main [n] (xs: [n]f64) (x: f64) = vjp (f xs) x 1")


def elseif(n):
    """a chain of else if"""
    body = "".join(f"if x > {i}.5 then f64.sin x * {i}.25 else " for i in reversed(range(n)))
    return function("(_n: i64) (x: f64) : f64", body + "x", SCALAR)


def elseif_forward(n):
    """the same, forward"""
    return elseif(n).replace("vjp (f n)", "jvp (f n)")


def elseif_second(n):
    """the second derivative of the same"""
    return elseif(n).replace("vjp (f n) x 1", "vjp (\\y -> vjp (f n) y 1) x 1")


def elseif_arrays(n):
    """a chain of else if over arrays"""
    body = "".join(f"if c > {i} then map (\\y -> y * y * {i}.25) x else " for i in reversed(range(n)))
    return function("[m] (c: i64) (x: [m]f64) : [m]f64", body + "x",
                    "entry main [n] (c: i64) (x: [n]f64) (s: [n]f64) = vjp (f c) x s")


def elseif_lets(n):
    """a chain of else if, each with a result of the one before"""
    body = "".join(f"if x{i} > {i}.5 then f64.sin x{i} else let x{i + 1} = x{i} * x{i} in "
                   for i in range(n))
    return function("(_n: i64) (x0: f64) : f64", body + f"x{n}", SCALAR)


def cases(n):
    """a match with many cases"""
    body = "match c\n" + "".join(f"  case {i} -> f64.sin x * {i}.25\n" for i in range(n))
    return function("(c: i64) (x: f64) : f64", body + "  case _ -> x",
                    "entry main (c: i64) (x: f64) = vjp (f c) x 1")


def if_tree(n):
    """a balanced tree of branches"""
    def tree(lo, hi):
        if hi - lo == 1:
            return f"f64.sin x * {lo}.25"
        mid = (lo + hi) // 2
        return f"(if x < {mid}.0 then {tree(lo, mid)} else {tree(mid, hi)})"
    return function("(_n: i64) (x: f64) : f64", tree(0, n), SCALAR)


def called(n):
    """many functions of arrays, called once"""
    fns = "".join(f"def fun{i} [n] (x: [n]f64) : f64 = f64.sum (map (\\y -> f64.sin y * {i}.5) x)\n"
                  for i in range(n))
    total = " + ".join(f"fun{i} x" for i in range(n))
    return f"{fns}entry main [n] (x: [n]f64) = vjp (\\x -> {total}) x 1"


def maps(n):
    """maps in a row, each read twice"""
    return arrays(n, "x{j} = map2 (\\a b -> f64.sin a * b) x{i} x{h}")


def maps_forward(n):
    """the same, forward"""
    return maps(n).replace("vjp f", "jvp f")


def sums(n):
    """sums of one array"""
    total = " + ".join(f"f64.sum (map (\\y -> f64.sin y * {i}.5) x)" for i in range(n))
    return function("[n] (x: [n]f64) : f64", total, "entry main [n] (x: [n]f64) = vjp f x 1")


def reduces(n):
    """reductions with any operator, each of what the one before gave"""
    body = lets(n, "x{j} = x{i} + reduce (\\a b -> a * b + f64.sin b) 0 (map (* x{i}) xs)")
    return ("def f [n] (xs: [n]f64) (x0: f64) : f64 =\n  " + body + f"in x{n}\n"
            "entry main [n] (xs: [n]f64) (x: f64) = vjp (f xs) x 1")


def products(n):
    """products of arrays"""
    return arrays(n, "x{j} = map (* f64.product x{i}) x{h}")


def plain_scans(n):
    """sums of prefixes"""
    return arrays(n, "x{j} = scan (+) 0 (map f64.sin x{i})")


def scans_forward(n):
    """scans with any operator, forward"""
    return scans(n).replace("vjp f", "jvp f")


def general_histograms(n):
    """histograms with any operator"""
    body = lets(n, "x{j} = hist (\\a b -> a * b + a + b) 0 n is (map f64.sin x{i})")
    return function("[n] (is: [n]i64) (x0: [n]f64) : [n]f64", body + f"in x{n}",
                    "entry main [n] (is: [n]i64) (x: [n]f64) (s: [n]f64) = vjp (f is) x s")


def scatters(n):
    """scatters into one array"""
    body = lets(n, "x{j} = scatter (copy x{i}) is (map f64.sin x{i})")
    return function("[n] (is: [n]i64) (x0: [n]f64) : [n]f64", body + f"in x{n}",
                    "entry main [n] (is: [n]i64) (x: [n]f64) (s: [n]f64) = vjp (f is) x s")


def wide_loop(n):
    """a loop with many parameters"""
    names = ", ".join(f"x{i}" for i in range(n))
    inits = ", ".join(f"x * {i}.5" for i in range(n))
    after = ", ".join(f"f64.sin x{i} * x{(i + 1) % n}" for i in range(n))
    total = " + ".join(f"r{i}" for i in range(n))
    return function("(n: i64) (x: f64) : f64",
                    f"let ({names.replace('x', 'r')}) = loop ({names}) = ({inits}) for _i < n do ({after})\n"
                    f"  in {total}", SCALAR)


def wide_map(n):
    """a map with many results"""
    after = ", ".join(f"f64.sin y * {i}.5" for i in range(n))
    total = " + ".join(f"f64.product (map (.{i}) ys)" for i in range(n))
    return function("[n] (x: [n]f64) : f64", f"let ys = map (\\y -> ({after})) x\n  in {total}",
                    "entry main [n] (x: [n]f64) = vjp f x 1")


def wide_reduce(n):
    """a reduction of tuples"""
    lhs = ", ".join(f"a{i}" for i in range(n))
    after = ", ".join(f"a{i} * b{i}" if i % 2 else f"a{i} + b{i}" for i in range(n))
    return (f"def f [n] (x: [n]f64) : f64 =\n  let ({lhs.replace('a', 'r')}) = reduce_comm (\\({lhs}) "
            f"({lhs.replace('a', 'b')}) -> ({after})) ({', '.join('1' if i % 2 else '0' for i in range(n))})"
            f" (map (\\y -> ({', '.join(f'y * {i}.5' for i in range(n))})) x)\n"
            f"  in {' + '.join(f'r{i}' for i in range(n))}\n"
            "entry main [n] (x: [n]f64) = vjp f x 1")


def parameters(n):
    """a function of many arrays"""
    params = " ".join(f"(x{i}: [n]f64)" for i in range(n))
    names = ", ".join(f"x{i}" for i in range(n))
    total = " + ".join(f"f64.sum (map2 (*) x{i} x{(i * 7 + 1) % n})" for i in range(n))
    types = ", ".join("[n]f64" for i in range(n))
    return (f"def f [n] (({names}) : ({types})) : f64 = {total}\n"
            f"entry main [n] {params} = vjp f ({names}) 1")


def loop_updates(n):
    """updates in one loop"""
    body = lets(n, "x{j} = x{i} with [(i + {i}) % n] = x{i}[(i + {j}) % n] * f64.sin x{i}[i]")
    return function("[n] (x: [n]f64) : [n]f64", "loop x0 = copy x for i < n do\n  " + body + f"in x{n}",
                    ARRAY)


def guarded_updates(n):
    """updates in branches in one loop"""
    body = lets(n, "x{j} = if y[i] > {i}.5 then x{i} with [(i + {i}) % n] = x{i}[i] * {i}.5 else x{i}")
    return function("[n] (y: [n]f64) (x: [n]f64) : [n]f64",
                    "loop x0 = copy x for i < n do\n  " + body + f"in x{n}",
                    "entry main [n] (y: [n]f64) (x: [n]f64) (s: [n]f64) = vjp (f y) x s")


def whiles(n):
    """while loops in a row"""
    body = lets(n, "x{j} = loop y = x{i} while y < {j}.5 do y * 1.5 + f64.sin y * f64.sin y")
    return function("(_n: i64) (x0: f64) : f64", body + f"in x{n}", SCALAR)


def gradients(n):
    """derivatives of many functions"""
    fns = "".join(f"def fun{i} (x: f64) : f64 = f64.sin x * x + {i}.5\n" for i in range(n))
    total = " + ".join(f"vjp fun{i} x 1" for i in range(n))
    return f"{fns}entry main (x: f64) = {total}"


def hessian(n):
    """forward over reverse of scalar operations"""
    return chain(n).replace("vjp (f n) x 1", "jvp (\\y -> vjp (f n) y 1) x 1")


def loops_second(n):
    """second derivatives of loops in a row"""
    return loops(n).replace("vjp (f n) x 1", "jvp (\\y -> vjp (f n) y 1) x 1")


def map_loops(n):
    """loops in a row in a map over rows"""
    body = lets(n, "x{j} = loop y = x{i} for k < n do y * f64.sin r[k]")
    return (f"def f [n] (r: [n]f64) : f64 =\n  let x0 = r[0]\n  {body}in x{n}\n"
            "entry main [m] [n] (x: [m][n]f64) (s: [m]f64) = vjp (map f) x s")


def nested_maps(n):
    """maps in maps"""
    n = max(1, n // 20)
    opening = "".join(f"map (\\a{i} -> " for i in range(n))
    return (f"def f (x: {'[2]' * n}f64) : {'[2]' * n}f64 = " + opening + f"f64.sin a{n - 1}" +
            "".join(f") {f'a{i - 1}' if i else 'x'}" for i in reversed(range(n))) +
            f"\nentry main (x: {'[2]' * n}f64) (s: {'[2]' * n}f64) = vjp f x s")


def nested_forward(n):
    """loops in loops, forward"""
    return nested_loops(n).replace("vjp (f n)", "jvp (f n)")


def nested_branches(n):
    """branches and loops in one another"""
    n = max(1, n // 10)
    opening = "".join(f"if y{i} > 0 then loop y{i + 1} = f64.sin y{i} for _i < n do " for i in range(n))
    closing = "".join(f" else f64.cos y{i}" for i in reversed(range(n)))
    return function("(n: i64) (y0: f64) : f64", opening + f"y{n} * y{n}" + closing, SCALAR)


def strips(n):
    """maps over rows in a row, each a sum"""
    body = lets(n, "x{j} = map2 (\\r y -> f64.sum (map (\\a -> f64.sin (a * y)) r)) m x{i}")
    return function("[k] [n] (m: [k][n]f64) (x0: [k]f64) : [k]f64", body + f"in x{n}",
                    "entry main [k] [n] (m: [k][n]f64) (x: [k]f64) (s: [k]f64) = vjp (f m) x s")


def layers(n):
    """products of matrices and what is between"""
    n = max(1, n // 4)
    body = lets(n, "x{j} = map (\\r -> map (\\c -> f64.sum (map2 (*) r c)) (transpose w)) "
                   "(map (map f64.tanh) x{i})")
    return function("[n] (x0: [n][n]f64) (w: [n][n]f64) : [n][n]f64", body + f"in x{n}",
                    "entry main [n] (x: [n][n]f64) (w: [n][n]f64) (s: [n][n]f64) = vjp (f x) w s")


def entries(n):
    """an entry point each"""
    return "".join(f"def fun{i} [n] (x: [n]f64) : f64 = f64.sum (map (\\y -> f64.sin y * {i}.5) x)\n"
                   f"entry main{i or ''} [n] (x: [n]f64) = vjp fun{i} x 1\n" for i in range(n))


def nested_derivatives(n):
    """derivatives of derivatives of .."""
    n = max(1, n // 80)
    text = "def f0 (x: f64) : f64 = f64.sin x\n"
    for i in range(n):
        text += f"def f{i + 1} (x: f64) : f64 = vjp f{i} x 1\n"
    return text + f"entry main (x: f64) = f{n} x"


def wide_tuples(n):
    """tuples of n scalars through a function and a branch"""
    xs = ", ".join(f"x{i}" for i in range(n))
    g = ", ".join(f"f64.sin x{i} * x{(i + 1) % n}" for i in range(n))
    return (f"def g (({xs}): ({', '.join(['f64'] * n)})) = ({g})\n"
            f"def f (c: bool) (x: f64) : f64 =\n  let ({xs}) = if c then g ({scaled(n, 'x')}) else ({scaled(n, 'x')})\n"
            f"  in {' + '.join(f'x{i}' for i in range(n))}\n"
            "entry main (c: bool) (x: f64) = vjp (f c) x 1")


def scaled(n, x):
    return ", ".join(f"{x} * {i}.5" for i in range(n))


def records(n):
    """a record of n fields, each replaced"""
    fields = ", ".join(f"a{i} = x * {i}.5" for i in range(n))
    body = lets(n, "r = r with a{i} = f64.sin r.a{i} * r.a{h}")
    return function("(_n: i64) (x: f64) : f64", f"let r = {{{fields}}}\n  {body}in "
                    + " + ".join(f"r.a{i}" for i in range(n)), SCALAR)


def rotating_loop(n):
    """a loop whose arrays change places"""
    xs = [f"x{i}" for i in range(n)]
    inits = ", ".join(f"map (* {i}.5) x" for i in range(n))
    return function("[n] (x: [n]f64) : f64",
                    f"let ({', '.join(xs)}) = loop ({', '.join(xs)}) = ({inits}) for _i < n do "
                    f"({', '.join(xs[1:] + ['map f64.sin x0'])})\n  in f64.sum x0 + f64.sum x{n - 1}",
                    "entry main [n] (x: [n]f64) = vjp f x 1")


def literals(n):
    """literal arrays"""
    total = " + ".join(f"f64.sum y{i}" for i in range(n))
    return function("(x: [3]f64) : f64", lets(n, "y{i} = map2 (*) x [{i}.5, 2, 3]") + "in " + total,
                    "entry main (x: [3]f64) = vjp f x 1")


def sizes(n):
    """arrays of a size each"""
    each = [f"[n{i}]f64" for i in range(n)]
    names = ", ".join(f"x{i}" for i in range(n))
    total = " + ".join(f"f64.sum (map f64.sin x{i})" for i in range(n))
    bound = " ".join(f"[n{i}]" for i in range(n))
    params = " ".join(f"(x{i}: {t})" for i, t in enumerate(each))
    return (f"def f {bound} (({names}): ({', '.join(each)})) : f64 = {total}\n"
            f"entry main {bound} {params} = vjp f ({names}) 1")


def concats(n):
    """an array that grows"""
    return function("[n] (x0: [n]f64) : f64", lets(n, "x{j} = x{i} ++ map f64.sin x0") + f"in f64.sum x{n}",
                    "entry main [n] (x: [n]f64) = vjp f x 1")


def filters(n):
    """arrays of sizes that are known when the program runs"""
    return function("[n] (x0: [n]f64) : f64", lets(n, "x{j} = filter (> {i}) (map (* 1.5) x{i})")
                    + f"in f64.sum x{n}", "entry main [n] (x: [n]f64) = vjp f x 1")


def loop_arrays(n):
    """loops over arrays in a row"""
    return arrays(n, "x{j} = loop x = x{i} for _j < n do map f64.sin x")


def loop_branches(n):
    """branches in a row in a loop"""
    body = lets(n, "x{j} = if x{i} > {i}.5 then f64.sin x{i} * x{i} else f64.cos x{i}")
    return function("(n: i64) (x: f64) : f64", f"loop x0 = x for _i < n do\n  {body}in x{n}", SCALAR)


def map_body(n):
    """one map with a long body"""
    body = lets(n, "x{j} = f64.sin x{i} * x{h}")
    return function("[n] (x: [n]f64) : [n]f64", f"map (\\x0 ->\n  {body}in x{n}) x", ARRAY)


def free_arrays(n):
    """one map that reads n arrays at places from data"""
    names = ", ".join(f"x{i}" for i in range(n))
    total = " + ".join(f"f64.sin x{i}[i]" for i in range(n))
    params = " ".join(f"(x{i}: [n]f64)" for i in range(n))
    return (f"def f [n] (is: [n]i64) (({names}): ({', '.join(['[n]f64'] * n)})) : f64 =\n"
            f"  f64.sum (map (\\i -> {total}) is)\n"
            f"entry main [n] (is: [n]i64) {params} = vjp (f is) ({names}) 1")


def matches(n):
    """matches in a row"""
    body = lets(n, "x{j} = match c[{m}] case 0 -> f64.sin x{i} case 1 -> x{i} * x{i} case _ -> x{i}")
    return function("(c: [20]i64) (x0: f64) : f64", body + f"in x{n}",
                    "entry main (c: [20]i64) (x: f64) = vjp (f c) x 1")


def inner_gradients(n):
    """derivatives in maps, differentiated"""
    total = " + ".join(f"f64.sum (map (\\y -> vjp (g y) (x * {i}.5) 1) ys)" for i in range(n))
    return ("def g (a: f64) (x: f64) : f64 = f64.sin (x * a)\n"
            f"def f [n] (ys: [n]f64) (x: f64) : f64 = {total}\n"
            "entry main [n] (ys: [n]f64) (x: f64) = vjp (f ys) x 1")


def third(n):
    """third derivatives of scalar operations"""
    return chain(n).replace("vjp (f n) x 1", "vjp (\\y -> vjp (\\z -> vjp (f n) z 1) y 1) x 1")


def second_arrays(n):
    """second derivatives of maps in a row"""
    return maps(n).replace("vjp f x s", "vjp (\\y -> vjp f y s) x s")


def second_branches(n):
    """second derivatives of branches in a row"""
    return branches(n).replace("vjp (f c) x 1", "vjp (\\y -> vjp (f c) y 1) x 1")


FAMILIES = [
    chain, loops, loop_body, bounded_body, bounded_blocks, branches, updates, gathers, scans, histograms,
    second, elseif, elseif_forward, elseif_second, elseif_arrays, elseif_lets, cases, if_tree, called, maps,
    maps_forward, sums, reduces, products, plain_scans, scans_forward, general_histograms, scatters,
    wide_loop, wide_map, wide_reduce, parameters, loop_updates, guarded_updates, whiles, gradients, hessian,
    loops_second, map_loops, strips, layers, entries, wide_tuples, records, rotating_loop, literals, sizes,
    concats, filters, loop_arrays, loop_branches, map_body, free_arrays, matches, inner_gradients, third,
    second_arrays, second_branches,
    nested_maps, nested_forward, nested_branches, nested_derivatives, nested_loops, nested_sums] + USERS


def cost(command):
    """user time in milliseconds, memory in megabytes"""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"{' '.join(command)}: status {status}")
    return 1000 * used.ru_utime, used.ru_maxrss / 1024


def exponent(size, now, before):
    return math.log(now / before[1]) / math.log(size / before[0]) if before and before[1] and now else 0


def statements(dagaz, path):
    out = subprocess.run([dagaz, "explain", "--json", path], check=True, capture_output=True).stdout
    first = json.loads(out.splitlines()[0])
    return first["statements"], first["value_statements"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dagaz", default="build/dagaz")
    parser.add_argument("--derive", action="store_true")
    parser.add_argument("--sizes", default="10,40,160,640")
    parser.add_argument("families", nargs="*")
    args = parser.parse_args()
    bad = 0
    print(f"{'family':16}{'size':>6}{'value':>8}{'derivative':>12}{'ratio':>7}{'ms':>7}{'exp':>6}{'MB':>6}{'exp':>6}")
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "p.fut")
        for family in FAMILIES:
            if args.families and family.__name__ not in args.families:
                continue
            last = None
            for size in (int(s) for s in args.sizes.split(",")):
                with open(path, "w") as out:
                    out.write(family(size))
                after, value = statements(args.dagaz, path)
                command = [args.dagaz, "c", "-w", "--c-only", "-o", os.path.join(tmp, "p"), path]
                if args.derive:
                    command = [args.dagaz, "derive", "--expand", path]
                ms, mb = (min(c) for c in zip(*(cost(command) for _ in range(3))))
                slower, larger = exponent(size, ms, last), exponent(size, mb, last and (last[0], last[2]))
                shown = family.__name__.startswith("nested")
                wrong = not shown and (slower > 1.35 and ms > 200 or larger > 1.35 and mb > 200)
                print(f"{family.__name__:19}{size:5}{value:8}{after:12}{after / value:7.1f}{ms:7.0f}{slower:6.2f}"
                      f"{mb:6.0f}{larger:6.2f}{'  superlinear' if wrong else ''}", flush=True)
                bad += wrong
                last = size, ms, mb
            if after > 10 * value and not shown:
                print(f"{family.__name__}: more than ten times its value")
                bad += 1
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
