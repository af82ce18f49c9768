"""What Python adds: import, cached load, small calls, the mixture's gradient against C.

python bench/python/calls.py
"""

from __future__ import annotations

import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import dagaz

HERE = Path(__file__).resolve().parent
SMALL = """
entry scalar [n] (x: [n]f64) (y: [n]f64) (c: f64) : f64 = c * f64.sum (map2 (*) x y)
entry vector [n] (x: [n]f64) (y: [n]f64) (c: f64) = map2 (\\a b -> a * b + c) x y
entry up [n] (x: [n]f64) = map (+ 1) x
"""


def least(call, times):
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def import_ms():
    code = (
        "import time, numpy; t = time.perf_counter(); import dagaz; print(time.perf_counter() - t)"
    )
    runs = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
        for _ in range(7)
    ]
    return 1e3 * min(runs)


def mixture():
    """Medians in microseconds: from Python, from C, in turns."""
    rng = np.random.default_rng(1)
    n, d, k = 1000, 10, 25
    t = d * (d - 1) // 2
    sizes = (k, (k, d), (k, d), (k, t), (n, d))
    args = [*(0.1 * rng.normal(size=s) for s in sizes), 1.0, 0]
    f = dagaz.load(HERE.parents[1] / "examples" / "gmm.fut").gradient
    f(*args)
    with tempfile.TemporaryDirectory() as folder:
        caller, data = os.path.join(folder, "caller"), os.path.join(folder, "data")
        cc = os.environ.get("CC", "cc")
        subprocess.run([cc, "-O2", "-o", caller, str(HERE / "caller.c"), "-ldl"], check=True)
        with open(data, "wb") as out:
            for a in args:
                made = np.asarray(a)
                shape = (*made.shape, *[0] * (8 - made.ndim))
                out.write(struct.pack("9q", made.ndim, *shape) + made.tobytes())
        command = [caller, f._compiled.path, str(f._entry.index), data, "60"]
        python, c = [], []
        for _ in range(15):
            for _ in range(60):
                start = time.perf_counter()
                f(*args)
                python.append(time.perf_counter() - start)
            said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            c += [float(line) / 1e9 for line in said.split()[10:]]
    return 1e6 * statistics.median(python), 1e6 * statistics.median(c)


def main():
    p = dagaz.source(SMALL, name="small")
    x, y = np.ones(2), np.ones(2)
    print(f"import, beyond NumPy                 {import_ms():8.1f} ms")
    load = least(lambda: dagaz.load(p.path), 20)
    print(f"cached load                          {1e3 * load:8.2f} ms")

    def many(f, args):
        return least(lambda: [f(*args) for _ in range(1000)], 50) * 1e3

    print(f"two arrays and a scalar to a scalar  {many(p.scalar, (x, y, 2.0)):8.2f} us")
    print(f"two arrays and a scalar to an array  {many(p.vector, (x, y, 2.0)):8.2f} us")
    big = np.ones(10**6)
    ours, theirs = least(lambda: p.up(big), 30), least(lambda: big + 1, 30)
    print(f"map (+ 1) of 10^6, NumPy the same    {1e3 * ours:8.2f} ms {1e3 * theirs:8.2f} ms")
    python, c = mixture()
    print(f"gradient of the mixture, C the same  {python:8.0f} us {c:8.0f} us: {python / c:.3f}")


if __name__ == "__main__":
    main()
