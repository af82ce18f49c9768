"""Programs as StableHLO, which XLA compiles with what is around them (doc/hlo.md).

A module has constant sizes, so one is made for each set of shapes.  Its last result is the number
of the first check that failed, or NONE_FAILED; where one failed floating-point results are NaN.
"""

from __future__ import annotations

import dataclasses
import os
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import export
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from . import _tool
from ._errors import CompileError, UsageError

NONE_FAILED = 2147483647
VERSION = "1.8.0"  # of StableHLO: the first with batched gathers and tan

Shape = tuple[tuple[int, ...], Any]


def module_text(text: str, name: str, sizes: dict[str, int]) -> str:
    """The entry point of a program's text as a module; derivatives are those of dual arrays."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name + ".fut")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        words = [f"{size}={value}" for size, value in sorted(sizes.items())]
        status, module, errors = _tool.run(["hlo", "-e", name, path, *words])
    if status:
        raise CompileError(errors.strip(), [])
    return module


def module_call(
    module: str, params: Sequence[Shape], results: Sequence[Shape]
) -> Callable[..., Any]:
    """A function that XLA compiles as the module: an exported stub of its types, with its text."""
    from jax._src.interpreters import mlir

    with mlir.make_ir_context():
        parsed = ir.Module.parse(module)
        artifact = stablehlo.serialize_portable_artifact(parsed, VERSION)
    shapes = [*results, ((), jnp.int32)]
    given: list[Any] = [jax.ShapeDtypeStruct(s, d) for s, d in params]  # type: ignore[no-untyped-call]
    stub = export.export(
        jax.jit(lambda *a: tuple(jnp.zeros(s, d) for s, d in shapes), keep_unused=True)
    )(*given)
    return dataclasses.replace(stub, mlir_module_serialized=artifact).call


def checked(results: Sequence[Any]) -> list[Any]:
    *values, failed = results
    good = failed == NONE_FAILED
    return [
        jnp.where(good, v, jnp.nan) if jnp.issubdtype(v.dtype, jnp.floating) else v for v in values
    ]


def no_sizes_as_parameters(names: Sequence[str], sizes: dict[str, int], function: Any) -> None:
    for name in names:
        if name in sizes:
            raise UsageError(
                f"{function}: {name} is a parameter and a size; as StableHLO sizes are constants: "
                f"write [{name}] instead"
            )
