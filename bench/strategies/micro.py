"""Gradients by forward mode, its optimisations switched on in turn: make bench-micro.

   micro.py DAGAZ FOLDER [--only NAME..]

For four models at several sizes: the least time in microseconds with none of the optimisations in
STEPS, with the first, the first two and so on; of reverse mode; of C by hand (micro.c); of JAX, where
$JAX is a Python that has it.  Sizes after one that took longer than SLOW are left out.
"""
import argparse
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = {
    "dot": [10 ** k for k in range(2, 8)], "maximum": [10 ** k for k in range(2, 8)],
    "factorisation": [10, 32, 100, 320, 1000], "bundle": [10 ** k for k in range(2, 7)],
}
STEPS = [
    ("cases", ["single-case", "zero-products"]), ("arrays", ["one-hot-arrays"]),
    ("payloads", ["payload-index", "one-case-products", "one-case-recurrences"]), ("keys", ["key-sums"]),
    ("all", ["row-invariants", "factored-sums", "invariant-reductions"]),
]
SLOW, LIMIT = 1.0, 60


def compiled(dagaz, folder, name, label, options):
    out = os.path.join(folder, "%s-%s" % (name, label))
    subprocess.run([dagaz, "c", os.path.join(HERE, "models", name + ".fut"), "-o", out] + options,
                   check=True, stderr=subprocess.DEVNULL)
    return out


def programs(dagaz, folder, name):
    """Forward mode with more and more optimisations, and reverse mode, by label."""
    out, off = {}, [s for _, names in STEPS for s in names]
    for label, names in [("none", [])] + STEPS:
        off = [s for s in off if s not in names]
        left_out = off + ["onehot"] * (label == "none")
        options = ["--strategy", "forward"] + ["--without=" + ",".join(left_out)] * bool(left_out)
        out[label] = compiled(dagaz, folder, name, label, options)
    return out | {"reverse": compiled(dagaz, folder, name, "reverse", [])}


def timed(program, data, runs):
    """The least of some runs in microseconds; None: above the limit."""
    times = data + ".times"
    try:
        with open(data, "rb") as values:
            subprocess.run([program, "-b", "-e", "gradient", "-r", str(runs), "-t", times], stdin=values,
                           stdout=subprocess.DEVNULL, check=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None
    return min(float(x) for x in open(times).read().split())


def measured(program, data):
    once = timed(program, data, 1)
    if once is None:
        return None
    return min(once, timed(program, data, max(1, min(100, int(3e5 / max(once, 1))))))


def by_hand(folder, name, size):
    if name == "bundle":
        return None
    r = subprocess.run([os.path.join(folder, "micro"), name, str(size)], capture_output=True, text=True)
    return float(r.stdout) if r.stdout else None


def by_jax(dagaz, folder, name):
    if not os.environ.get("JAX"):
        return None
    r = subprocess.run([os.environ["JAX"], os.path.join(HERE, "jax_models.py"), dagaz, folder, name],
                       capture_output=True, text=True)
    return float(r.stdout.split()[1]) if r.returncode == 0 else None


def shown(us):
    return "-" if us is None else "%.3g" % us if us < 1000 else "%.0f" % us


def rows(dagaz, folder, name):
    made, slow = programs(dagaz, folder, name), set()
    data = os.path.join(folder, name + ".data")
    source = os.path.join(HERE, "models", name + ".fut")
    with open(source) as text, open(os.path.join(folder, name + ".fut"), "w") as copy:
        copy.write(text.read())
    for size in MODELS[name]:
        with open(data, "wb") as out:
            subprocess.run([dagaz, "run", "-b", "-e", "data", source], input=b"%di64" % size,
                           stdout=out, check=True)
        cells = []
        for label, program in made.items():
            us = None if label in slow else measured(program, data)
            if us is None or us > 1e6 * SLOW:
                slow.add(label)
            cells.append(shown(us))
        cells += [shown(by_hand(folder, name, size)), shown(by_jax(dagaz, folder, name))]
        print("| %s | %d | %s |" % (name, size, " | ".join(cells)), flush=True)
    os.remove(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dagaz")
    parser.add_argument("folder")
    parser.add_argument("--only", nargs="*", default=MODELS)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    subprocess.run(["cc", "-O3", "-march=native", os.path.join(HERE, "micro.c"), "-o",
                    os.path.join(options.folder, "micro"), "-lm"], check=True)
    head = ["model", "size", "none"] + [label for label, _ in STEPS] + ["reverse", "C", "JAX"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for name in options.only:
        rows(options.dagaz, options.folder, name)


main()
