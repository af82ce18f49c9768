"""From nothing to a gradient, timed: what fresh.sh runs in an empty environment.

Prints a line for each figure, with its bound, then "N passed, N failed".
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

CALLS = """
import time
import numpy as np, dagaz
def least(call, times):
    best = float("inf")
    for _ in range(times):
        start = time.process_time(); call(); best = min(best, time.process_time() - start)
    return best
p = dagaz.source("entry f [n] (x: [n]f64) (y: [n]f64) (c: f64) : f64 = c * f64.sum (map2 (*) x y)")
x = np.ones(2)
print(1e6 * least(lambda: [p.f(x, x, 2.0) for _ in range(1000)], 30) / 1000)
"""
IMPORT = """
import time, numpy
start = time.process_time(); import dagaz; print(1e3 * (time.process_time() - start))
"""
LOAD = """
import time, dagaz
start = time.process_time(); dagaz.load("cached.fut"); print(1e3 * (time.process_time() - start))
"""
counts = {True: 0, False: 0}


def bound(what: str, got: float, most: float, unit: str, more: str = "") -> None:
    """Says a figure and counts whether it keeps its bound."""
    counts[got <= most] += 1
    word = "" if got <= most else "  TOO MUCH"
    print(f"{what:42} {got:9.2f} {unit:3} (at most {most:g}){more}{word}", flush=True)


def timed(command: list[str], where: Path) -> tuple[float, float, str]:
    """Seconds on the clock, seconds of processors, and what the command printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)
    clock = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        print(done.stdout[-3000:], done.stderr[-3000:], sep="\n")
        print("0 passed, 1 failed")
        sys.exit(1)
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def outputs(code: str, where: Path, times: int) -> list[float]:
    """The least of each number that the code prints, over processes of its own."""
    runs = [timed([sys.executable, "-c", code], where)[2].split() for _ in range(times)]
    return [min(map(float, column)) for column in zip(*runs, strict=True)]


def main(work: Path) -> None:
    place = work / "place"
    cores = len(os.sched_getaffinity(0))
    pip = [sys.executable, "-m", "pip", "install", "-q", "."]
    clock, busy, _ = timed(pip, work / "source")
    # On two cores: half of what all processors did.
    bound("pip install, processor time of two cores", busy / 2, 90, "s",
          f", {clock:.0f} s on the clock of {cores}")  # fmt: skip
    clock, busy, said = timed([sys.executable, "first_gradient.py"], place)
    value, da, db = map(float, said.split())
    bound("first gradient, with an empty cache", busy, 10, "s", f", {clock:.1f} s on the clock")
    bound("its difference from 5, -10, -6", abs(value - 5) + abs(da + 10) + abs(db + 6), 0, "")
    again, _, _ = timed([sys.executable, "first_gradient.py"], place)
    bound("the same again, the whole process", again, 2, "s")
    bound("import beyond NumPy", outputs(IMPORT, place, 9)[0], 50, "ms")
    call = outputs(CALLS, place, 3)[0]
    bound("two small arrays and a number to a number", call, 5, "us")
    (place / "cached.fut").write_text("entry f (x: f64) = x * x\n")
    time.sleep(0.1)
    outputs(LOAD, place, 2)
    bound("cached load in a new process", outputs(LOAD, place, 9)[0], 5, "ms")
    print(f"{counts[True]} passed, {counts[False]} failed")
    sys.exit(counts[False] > 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
