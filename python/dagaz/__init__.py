"""Dagaz: array programs with exact derivatives, called with NumPy arrays.

>>> p = dagaz.source("def f (x: f64) (y: f64) = f64.sin x * y")
>>> p.f(0.5, 2.0)
np.float64(0.958851077208406)
>>> dagaz.grad(p.f)(0.5, 2.0)
(np.float64(1.7551651237807455), np.float64(0.479425538604203))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._errors import (
    ArgumentError,
    CompileError,
    CompilerWarning,
    DagazError,
    Diagnostic,
    GradientWarning,
    InterpretedWarning,
    MemoryLimitError,
    MissingFile,
    NoCompiler,
    ProgramError,
    UsageError,
)
from ._program import Function, Program, load, source
from ._transform import grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp
from ._values import Opaque, Record

if TYPE_CHECKING:
    from ._check import GradCheck, check_grad
    from ._text import Explanation, derive, explain
    from .plot import sparsity

__version__ = "0.1.0"
_LATER = {
    "GradCheck": "_check",
    "check_grad": "_check",
    "Explanation": "_text",
    "derive": "_text",
    "explain": "_text",
    "sparsity": "plot",
}


def __getattr__(name: str) -> Any:
    """What is not needed at first, or needs more than NumPy, on first use."""
    from importlib import import_module

    if name in _LATER:
        return getattr(import_module(f"dagaz.{_LATER[name]}"), name)
    if name in ("torch", "jax", "notebook", "plot"):
        return import_module(f"dagaz.{name}")
    raise AttributeError(f"module 'dagaz' has no attribute {name!r}")


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext dagaz``: the cell magic ``%%dagaz``."""
    from .notebook import register

    register(shell)


__all__ = [
    "ArgumentError",
    "CompileError",
    "CompilerWarning",
    "DagazError",
    "Diagnostic",
    "Explanation",
    "Function",
    "GradCheck",
    "GradientWarning",
    "InterpretedWarning",
    "MemoryLimitError",
    "MissingFile",
    "NoCompiler",
    "Opaque",
    "Program",
    "ProgramError",
    "Record",
    "UsageError",
    "check_grad",
    "derive",
    "explain",
    "grad",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "load",
    "source",
    "sparsity",
    "value_and_grad",
    "vjp",
]
