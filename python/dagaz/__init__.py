"""Dagaz: array programs with exact derivatives, called with NumPy arrays.

>>> p = dagaz.source("def f (x: f64) (y: f64) = f64.sin x * y")
>>> p.f(0.5, 2.0)
np.float64(0.958851077208406)
>>> dagaz.grad(p.f)(0.5, 2.0)
(np.float64(1.7551651237807455), np.float64(0.479425538604203))
"""

from __future__ import annotations

from ._errors import (
    ArgumentError,
    CompileError,
    CompilerWarning,
    DagazError,
    Diagnostic,
    GradientWarning,
    MemoryLimitError,
    ProgramError,
    UsageError,
)
from ._program import Function, Program, load, source
from ._transform import grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp
from ._values import Opaque, Record

__version__ = "0.1.0"
__all__ = [
    "ArgumentError",
    "CompileError",
    "CompilerWarning",
    "DagazError",
    "Diagnostic",
    "Function",
    "GradientWarning",
    "MemoryLimitError",
    "Opaque",
    "Program",
    "ProgramError",
    "Record",
    "UsageError",
    "grad",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "load",
    "source",
    "value_and_grad",
    "vjp",
]
