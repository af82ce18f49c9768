#!/usr/bin/env python3
"""Does compile time grow in step with the program?

    python3 bench/growth.py [--dagaz build/dagaz] [--lines 1000,10000,100000] [FAMILY..]

Every family (bench/families.py) makes programs of any size that stress one construct: ordinary
code, long chains of lets, nested applications, deep nesting, modules and functors, size
expressions, large literals, sums with many constructors, many loops, derivatives.  Each is checked
(`dagaz check`) and compiled to C (`dagaz c --c-only`) at growing sizes; the table has processor
time in milliseconds (median of three runs where a run is short) and the exponent between
neighbouring sizes: 1 is linear growth, 2 quadratic.  An exponent above 1.35 at times above 200 ms
is reported and makes the exit status 1.
"""
import argparse
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from families import FAMILIES


def user_ms(command, timeout=120):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    p = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if p.returncode != 0:
        raise RuntimeError(f"status {p.returncode}: {p.stderr.strip()[:300]}")
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def measure(command):
    first = user_ms(command)
    return first if first > 1000 else statistics.median([first, user_ms(command), user_ms(command)])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--dagaz", default="build/dagaz")
    ap.add_argument("--lines", default="1000,10000,100000")
    ap.add_argument("--check-only", action="store_true")
    ap.add_argument("families", nargs="*", default=[])
    args = ap.parse_args()
    lines = [int(x) for x in args.lines.split(",")]
    bad = []
    print(f"{'family':13} {'stage':6} " + " ".join(f"{'n':>7} {'ms':>8} {'exp':>5}" for _ in lines))
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "p.fut")
        empty = {}
        with open(path, "w") as f:
            f.write("entry main (x: i32) = x\n")
        stages = {"check": [args.dagaz, "check", "-w", path],
                  "c": [args.dagaz, "c", "-w", "--c-only", "-o", os.path.join(tmp, "p"), path]}
        for stage, command in stages.items():
            empty[stage] = measure(command)
        for name in args.families or FAMILIES:
            make, scale = FAMILIES[name]
            for stage in ["check"] if args.check_only else stages:
                row, last = "", None
                for n in lines:
                    k = max(4, int(n * scale))
                    files = make(k)
                    for file, text in ({"p.fut": files} if isinstance(files, str) else files).items():
                        with open(os.path.join(tmp, file), "w") as f:
                            f.write(text + "\n")
                    try:
                        ms = max(0.5, measure(stages[stage]) - empty[stage])
                    except (RuntimeError, subprocess.TimeoutExpired) as e:
                        row += f" {k:7} failed: {e}"
                        bad.append(f"{name} {stage} {k}")
                        break
                    exponent = math.log(ms / last[1]) / math.log(k / last[0]) if last and k > last[0] else 0
                    row += f" {k:7} {ms:8.1f} {exponent:5.2f}"
                    if exponent > 1.35 and ms > 200:
                        bad.append(f"{name} {stage} {k}: exponent {exponent:.2f}")
                    last = (k, ms)
                print(f"{name:13} {stage:6}{row}", flush=True)
    for line in bad:
        print("not linear: " + line)
    sys.exit(1 if bad else 0)


main()
