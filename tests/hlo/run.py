"""Compares StableHLO modules, compiled and run by XLA, with the interpreter.

usage: run.py BUILD.  Without jax it says "skipped".  Ends with "N passed, N failed[, N skipped]".
"""
import dataclasses
import math
import os
import re
import subprocess
import sys

try:
    import jax
    import numpy
    from jax import export
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo
except ImportError as error:
    print(f"skipped: hlo ({error})")
    print("0 passed, 0 failed, 1 skipped")
    sys.exit(0)

jax.config.update("jax_enable_x64", True)
HERE = os.path.dirname(os.path.abspath(__file__))
DAGAZ = os.path.join(sys.argv[1], "dagaz")
FILE = os.path.join(HERE, "programs.fut")
A = [[0.5, 1.25, -0.75], [-0.3, 0.4, 2.0], [1.5, -1.0, 0.125], [0.0, 0.9, 0.9], [-1.75, 0.6, 0.2]]
PRIMS = {"i1": "bool", "ui8": "uint8", "ui32": "uint32", "i32": "int32", "i64": "int64",
         "f32": "float32", "f64": "float64"}


def dagaz(*words, text=""):
    return subprocess.run([DAGAZ, *words], input=text, capture_output=True, text=True, check=True).stdout


def result_types(module):
    """The shapes and dtypes that the module's function gives."""
    types = re.search(r"-> \((.*)\) \{", module).group(1)
    found = re.findall(r"tensor<((?:\d+x)*)(\w+)>", types)
    return [(tuple(int(d) for d in dims.split("x") if d), PRIMS[prim]) for dims, prim in found]


def compiled(module, shapes):
    """A function that runs the module, by way of a stub with its types."""
    with mlir.make_ir_context():
        parsed = ir.Module.parse(module)
        artifact = stablehlo.serialize_portable_artifact(parsed, "1.8.0")
    outs = result_types(module)
    stub = export.export(
        jax.jit(lambda *a: tuple(jax.numpy.zeros(s, d) for s, d in outs), keep_unused=True)
    )(*[jax.ShapeDtypeStruct(s, d) for s, d in shapes])
    return dataclasses.replace(stub, mlir_module_serialized=artifact).call


def values(text):
    """The values of a run's output, one a line."""
    plain = re.sub(r"(?<=[\d.])(?:[iu](?:8|16|32|64)|f(?:16|32|64))", "", text)
    plain = re.sub(r"-?\b(?:inf|nan)f\d+", lambda m: f"float('{m.group(0)[:-3]}')", plain)
    names = {"true": True, "false": False, "float": float}
    return [eval(line, {"__builtins__": {}}, names) for line in plain.strip().split("\n")]


def same(got, want):
    got, want = numpy.asarray(got), numpy.asarray(want)
    if got.size == want.size == 0:
        return True
    tolerance = 1e-6 if got.dtype == numpy.float32 else 1e-11
    return got.shape == want.shape and numpy.allclose(
        got.astype(float), want.astype(float), rtol=tolerance, atol=1e-12, equal_nan=True)


def compare(entry):
    module = dagaz("hlo", "-e", entry, FILE, "n=5", "m=3")
    results = compiled(module, [((5, 3), "float64")])(numpy.array(A))
    assert int(results[-1]) == 2147483647, f"check {results[-1]} failed"
    want = values(dagaz("run", "--interp", "-e", entry, FILE, text=str(A)))
    assert len(results) - 1 == len(want), "another number of results"
    for k, (got, expected) in enumerate(zip(results, want)):
        assert same(got, expected), f"result {k}: XLA {got}, interpreted {expected}"


def failing_check():
    """A check that fails gives its number; a gather out of range no crash."""
    module = dagaz("hlo", "-e", "picked", FILE, "n=5", "m=3")
    assert "// check 1: Index out of bounds." in module
    call = compiled(module, [((5, 3), "float64")])
    assert int(call(numpy.array(A))[-1]) == 2147483647
    assert int(call(numpy.array(A) - 7)[-1]) == 1


def main():
    passed = failed = 0
    entries = re.findall(r"^entry (\w+)", open(FILE).read(), flags=re.M)
    for name, test in [(e, lambda e=e: compare(e)) for e in entries] + [("checks", failing_check)]:
        try:
            test()
            passed += 1
        except (AssertionError, subprocess.CalledProcessError, ValueError) as error:
            failed += 1
            print(f"FAILED {name}: {error} {getattr(error, 'stderr', '')}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
