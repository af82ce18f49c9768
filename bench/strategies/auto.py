"""The automatic choice of a strategy against the others, by time: every entry of choice.fut.

   auto.py DAGAZ [--size N] [--seconds S] [--turns N] [--only NAME..]

Each entry is timed by itself at size N under each strategy (`dagaz bench`, the least of some turns),
and under `auto`.  Prints a table in Markdown, and how often `auto` is within 1.1, 1.3 and 1.5 of the
fastest.  Operations are compared by tests/unit/test_choice.c.
"""
import argparse
import json
import os
import re
import subprocess
import tempfile

STRATEGIES = ["redundant", "forward", "dual", "elimination", "auto"]
FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "choice.fut")
LIMIT = 60


def alone(text, name, size, folder):
    """The program with this entry point alone, timed at the size."""
    text = re.sub(r"^entry (?!%s\b)" % name, "def ", text, flags=re.M)
    block = "-- ==\n-- entry: %s\n-- input { %di64 }\n" % (name, size)
    path = os.path.join(folder, name + ".fut")
    with open(path, "w") as out:
        out.write(re.sub(r"^(entry %s\b)" % name, block + r"\1", text, flags=re.M))
    return path


def timed(options, path, strategy):
    """The least time in microseconds; None: refused, or above the limit."""
    out = path + ".json"
    try:
        r = subprocess.run([options.dagaz, "bench", "--seconds=%g" % options.seconds, "--strategy",
                            strategy, "--json=" + out, path], capture_output=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None
    if r.returncode:
        return None
    (case,) = json.load(open(out)).values()
    return min(next(iter(case["datasets"].values()))["runtimes"])


def cell(us, best):
    return "-" if us is None else "%.1f (%.2f)" % (us, us / best)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dagaz")
    parser.add_argument("--size", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    text = open(FILE).read()
    names = [n for n in re.findall(r"^entry (\w+)", text, re.M) if not options.only or n in options.only]
    ratios = []
    print("| program | " + " | ".join(STRATEGIES) + " |\n" + "|---" * (1 + len(STRATEGIES)) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path = alone(text, name, options.size, folder)
            turns = [{s: timed(options, path, s) for s in STRATEGIES} for _ in range(options.turns)]
            by = {s: min((t[s] for t in turns if t[s] is not None), default=None) for s in STRATEGIES}
            best = max(min(v for s, v in by.items() if v is not None and s != "auto"), 1e-3)
            ratios.append(by["auto"] / best)
            print("| %s | %s |" % (name, " | ".join(cell(by[s], best) for s in STRATEGIES)), flush=True)
    n = len(ratios)
    print("\nauto: %d programs, %d within 1.1 of the fastest, %d within 1.3, %d within 1.5, at most %.2f" % (
        n, sum(r <= 1.1 for r in ratios), sum(r <= 1.3 for r in ratios), sum(r <= 1.5 for r in ratios),
        max(ratios)))


if __name__ == "__main__":
    main()
