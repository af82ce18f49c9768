"""Formulas of `dagaz derive --bulk` are evaluated by NumPy and compared with the interpreter.

   formulas.py DAGAZ FILE.fut..

Every entry point with test blocks that has formulas: the function itself, and its reverse derivative
for seeds of the results.  Refused ones must have one error with the construct.
"""
import re
import subprocess
import sys
import tempfile
import warnings

import numpy as np

warnings.filterwarnings("ignore")
TYPE = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bool": np.bool_}
for bits in "8", "16", "32", "64":
    TYPE["i" + bits] = getattr(np, "int" + bits)
    TYPE["u" + bits] = getattr(np, "uint" + bits)


def run(*command, text=""):
    r = subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)
    return r.returncode, r.stdout, r.stderr


def blocks(path):
    """(entry, input text) of the test blocks that expect no error."""
    text = open(path).read()
    for block in re.findall(r"^-- ==\n((?:--.*\n)*)", text, re.M):
        body = re.sub(r"^-- ?", "", block, flags=re.M)
        names = re.search(r"^entry:(.*)$", body, re.M)
        for given in re.findall(r"^(?:compiled |nobench |tags.*)?input *\{([^}]*)\}\s*output", body, re.M):
            for name in (names.group(1).split() if names else ["main"]):
                yield name, given


def plain(text):
    """Values as lists and numbers."""
    text = re.sub(r"--.*", "", text)
    text = re.sub(r"empty\(([^)]*)\)", lambda m: "np.zeros((%s))" % ", ".join(
        re.findall(r"\[(\d+)\]", m.group(1)) + [""]), text)
    text = re.sub(r"\b(true|false)\b", lambda m: m.group(1).title(), text)
    text = re.sub(r"f(?:16|32|64)\.(nan|inf)", r"np.\1", text)
    text = re.sub(r"(?<![.\w])(nan|inf)(f16|f32|f64)?", r"np.\1", text)
    text = re.sub(r"(?<=[\d.])_(?=\d)|(?<=[\d.])(?:[fiu](?:8|16|32|64))\b", "", text)
    return text


def values(text):
    """Values one after the other, as the interpreter prints or reads them."""
    out, depth, start, text = [], 0, 0, plain(text) + " "
    for i, c in enumerate(text):
        depth += c in "[(" 
        depth -= c in "])"
        if c.isspace() and depth == 0:
            if text[start:i].strip():
                out.append(eval(text[start:i]))
            start = i
    return out


def arguments(code, given):
    types = re.findall(r"^    # \w+ : (\S+)$", code, re.M)
    if len(types) < len(given):
        return None
    return [np.array(v, TYPE[re.sub(r"\[.*\]", "", t)])[()] for v, t in zip(given, types)]


def shown(value):
    if isinstance(value, np.ndarray):
        if value.size == 0:
            return "empty(%sf64)" % "".join("[%d]" % n for n in value.shape)
        return "[" + ", ".join(shown(v) for v in value) + "]"
    return "f64.nan" if np.isnan(value) else "%.17gf64" % value if np.isfinite(value) else "f64.inf"


def evaluate(code, args):
    space = {}
    exec(code, space)
    with np.errstate(all="ignore"):
        out = space[re.findall(r"^def (\w+)\(", code, re.M)[-1]](*args)
    return list(out) if isinstance(out, tuple) else [out]


def close(a):
    return 1e-2 if np.asarray(a).dtype == np.float16 else 1e-9


def same(mine, theirs):
    return len(mine) == len(theirs) and all(
        np.allclose(np.asarray(a, float), np.asarray(b, float), close(a), close(a), equal_nan=True)
        for a, b in zip(mine, theirs))


def primal(dagaz, path, entry, given):
    status, code, error = run(dagaz, "derive", "--bulk", "--expand", "-e", entry, path)
    if status:
        return error, None
    args = arguments(code, values(given))
    if args is None:
        return "inputs that are no plain values", None
    out = evaluate(code, args)
    status, text, error = run(dagaz, "run", "--interp", "-e", entry, path, text=given)
    assert status == 0, error
    assert same(out, values(text)), "%s\n%s\nis %s\nnot %s" % (code, given, out, text)
    return None, out


def adjoint(dagaz, path, entry, given, out):
    status, code, error = run(dagaz, "derive", "--bulk", "-e", entry, path)
    if status:
        return error
    seeds = [0.5 + 0 * r for r in map(np.asarray, out) if r.dtype == np.float64]
    seeds = [s if s.ndim else s[()] for s in seeds]
    if len(seeds) < sum(np.asarray(r).dtype.kind == "f" for r in out):
        return "results of other floats"
    mine = evaluate(code, arguments(code, values(given)) + seeds)
    with tempfile.NamedTemporaryFile("w", suffix=".fut") as f:
        f.write(run(dagaz, "derive", "-e", entry, path)[1])
        f.flush()
        text = given + " " + " ".join(map(shown, seeds))
        status, text, error = run(dagaz, "run", "--interp", "-e", entry + "_vjp", f.name, text=text)
    assert status == 0, error
    assert same(mine, values(text)), "%s\n%s\nis %s\nnot %s" % (code, given, mine, text)
    return None


def refusal(error):
    lines = [x for x in error.splitlines() if "no formulas" in x or "unsupported:" in x or "cannot derive" in x]
    if not lines:
        lines = [x for x in error.splitlines() if x][:1]
    return re.sub(r'^.*"\w+": |unsupported: |, by the strategy.*', "", lines[0]) if lines else error


def main():
    dagaz, passed, failed, refused = sys.argv[1], 0, 0, {}
    for path in sys.argv[2:]:
        seen = set()
        for entry, given in blocks(path):
            if (path, entry) in seen:
                continue
            seen.add((path, entry))
            try:
                why, out = primal(dagaz, path, entry, given)
                if not why:
                    passed += 1
                    why = adjoint(dagaz, path, entry, given, out)
                    passed += not why
                if why:
                    reason = refusal(why)
                    refused[reason] = refused.get(reason, 0) + 1
            except Exception as e:
                failed += 1
                print("FAILED %s %s: %s %s" % (path, entry, type(e).__name__, e))
    for reason, n in sorted(refused.items(), key=lambda x: -x[1]):
        print("%5d %s" % (n, reason))
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(failed > 0)


main()
