"""make bench-strategies: derivatives of models by several strategies, side by side.

   table.py DAGAZ COUNTS FOLDER FILE..

For each model the times of value and gradient (medians of `dagaz bench`, one command for each
strategy, in turns), and the operations in the interpreter at n, 2n, 4n (counts.c).  Prints tables in
Markdown.  A command that takes longer than LIMIT seconds is stopped.  $JAX, a Python with JAX and NumPy,
adds a column with its gradients (jax_models.py).
"""
import json
import os
import re
import statistics
import subprocess
import sys

STRATEGIES = ["redundant", "forward", "dual"]
LIMIT, TURNS = 60, 3


def prepared(dagaz, folder, path):
    """A copy of the model that is timed on data from a file: its name, its size, its path."""
    name = os.path.basename(path)[:-4]
    text = open(path).read()
    size = re.search(r"^-- size: (\d+)", text, re.M).group(1)
    with open(os.path.join(folder, name + ".data"), "wb") as out:
        subprocess.run([dagaz, "run", "-b", "-e", "data", path], input=(size + "i64").encode(),
                       stdout=out, check=True)
    copy = os.path.join(folder, name + ".fut")
    with open(copy, "w") as out:
        block = "-- ==\n-- entry: value gradient\n-- input @%s.data\nentry value " % name
        out.write(text.replace("entry value ", block, 1))
    return name, size, copy


def timed(dagaz, copy, strategy):
    """Medians in microseconds by entry point, or why there are none."""
    out = "%s.%s.json" % (copy, strategy)
    try:
        r = subprocess.run([dagaz, "bench", "--seconds=1", "--strategy", strategy, "--json=" + out,
                            copy], capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return "above %d s" % LIMIT
    if r.returncode:
        return "refused"
    return {key.rsplit(":", 1)[1]: statistics.median(next(iter(v["datasets"].values()))["runtimes"])
            for key, v in json.load(open(out)).items()}


def turns(dagaz, copy):
    """By strategy, the medians of the turns."""
    got = {s: [] for s in STRATEGIES}
    for _ in range(TURNS):
        for s in STRATEGIES:
            if not got[s] or isinstance(got[s][-1], dict):
                got[s].append(timed(dagaz, copy, s))
    return {s: {e: statistics.median(r[e] for r in rows) for e in rows[0]}
            if isinstance(rows[-1], dict) else rows[-1] for s, rows in got.items()}


def shown(us):
    return "%.0f" % us if us >= 100 else "%.1f" % us if us >= 1 else "%.2f" % us


def times_row(name, size, by):
    value = by["redundant"]["value"]
    best = min(r["gradient"] for r in by.values() if isinstance(r, dict))
    cells = [name, size, shown(value)]
    for s in STRATEGIES:
        r = by[s]
        cells += ["%s (%.2f)" % (shown(r["gradient"]), r["gradient"] / best)
                  if isinstance(r, dict) else r]
    return cells


def jax_times(dagaz, folder, names):
    """By model, microseconds as text; nothing without $JAX."""
    if not os.environ.get("JAX"):
        return {}
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "jax_models.py")
    r = subprocess.run([os.environ["JAX"], script, dagaz, folder] + names, stdout=subprocess.PIPE,
                       text=True, check=True)
    return {name: shown(float(us)) for name, us in map(str.split, r.stdout.splitlines())}


def counted(counts, paths):
    """By model and strategy: work at n, 2n, 4n."""
    out = {}
    r = subprocess.run([counts] + paths, capture_output=True, text=True)
    sys.stderr.write(r.stderr)
    for line in r.stdout.splitlines():
        name, entry, strategy, rest = line.split(" ", 3)
        out[name, strategy if entry == "gradient" else "value"] = rest
    if r.returncode:
        sys.exit("the operations could not be counted")
    return out


def listed(text):
    return text if text.startswith("refused") else ", ".join(text.split())


def table(head, rows):
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def main():
    dagaz, counts, folder, paths = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    os.makedirs(folder, exist_ok=True)
    work = counted(counts, paths)
    rows = []
    for path in paths:
        name, size, copy = prepared(dagaz, folder, path)
        rows.append(times_row(name, size, turns(dagaz, copy)))
        sys.stderr.write(" ".join(rows[-1]) + "\n")
    names = [os.path.basename(p)[:-4] for p in paths]
    others = jax_times(dagaz, folder, names)
    head = ["microseconds (of the least)", "size", "value"] + STRATEGIES
    table(head + ["JAX"] * bool(others), [r + [others[r[0]]] * bool(others) for r in rows])
    table(["operations at 16, 32, 64", "value"] + STRATEGIES,
          [[n] + [listed(work.get((n, s), "")) for s in ["value"] + STRATEGIES] for n in names])


main()
