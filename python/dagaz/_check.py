"""Checks derivatives of a function: forward mode, reverse mode and differences agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._program import Function
from ._transform import Wrt, jvp, program_function, select, vjp
from ._values import DTYPES, build, flatten, prepare, scalar


@dataclass(frozen=True)
class GradCheck:
    """What a check found.

    Attributes
    ----------
    steps, errors : tuple of float
        Step sizes of central differences, and how far these are from forward mode, relatively.
    modes : float
        How far forward and reverse mode are from each other, relatively.
    tolerance : float
        What is allowed.
    """

    name: str
    steps: tuple[float, ...]
    errors: tuple[float, ...]
    modes: float
    tolerance: float

    @property
    def error(self) -> float:
        """The least of the errors."""
        return min(self.errors)

    @property
    def ok(self) -> bool:
        return self.error <= self.tolerance and self.modes <= self.tolerance

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        said = "right" if self.ok else "WRONG"
        rows = [f"  {h:8.0e}  {e:8.1e}" for h, e in zip(self.steps, self.errors, strict=True)]
        head = f"derivative of {self.name}: {said}; forward against reverse {self.modes:.1e}"
        return "\n".join([head, "  step      error", *rows])

    def plot(self, ax: Any = None) -> Any:
        """Errors over step sizes; the axes."""
        from . import plot

        return plot.check(self, ax)


def check_grad(
    f: Function, *args: Any, wrt: Wrt = None, seed: int = 0, tolerance: float | None = None
) -> GradCheck:
    """Compares derivatives along a random direction.

    Parameters
    ----------
    f, args
        A function and where to check it.
    wrt
        By which parameters, as for `grad`.
    seed
        Of the random direction.
    tolerance
        Relative; default 1e-5 for f64, 1e-2 with f32, 1e-1 with f16.

    Returns
    -------
    GradCheck
        True where forward mode, reverse mode and the best of the differences agree.
    """
    program_function(f)
    rng = np.random.default_rng(seed)
    s = select(f, wrt)
    leaves, places = leaves_of(f, args, s.groups)
    directions = [along(rng, leaves[p]) for p in places]
    t = jvp(f, wrt)(*args, build(s.type, iter(directions)))[1]
    tangent = numbers(t)
    steps = [10.0**-k for k in range(1, 10)]
    found = [distance(difference(f, leaves, places, directions, h), tangent) for h in steps]
    elems = {leaf.elem for leaf in (*s.leaves, *f.result.leaves)}
    usual = 1e-1 if "f16" in elems else 1e-2 if "f32" in elems else 1e-5
    allowed = tolerance if tolerance is not None else usual
    modes = forward_against_reverse(f, args, wrt, t, directions, rng)
    return GradCheck(f.__name__, tuple(steps), tuple(found), modes, allowed)


def leaves_of(
    f: Function, args: Sequence[Any], groups: Sequence[Any]
) -> tuple[list[Any], list[int]]:
    """All leaves of a call, and which of them are those of the groups."""
    values = [
        v
        for p, a in zip(f.params, f._bound(tuple(args), {}), strict=True)
        for v in flatten(a, p.type, p.leaves, p.name)
    ]
    leaves = prepare(values, f._entry.leaves, f.program._options.convert)
    places = []
    at = 0
    for g in f._term.params:
        if g in groups:
            places += [at + i for i, leaf in enumerate(g.leaves) if leaf.is_float]
        at += len(g.leaves)
    return leaves, places


def along(rng: np.random.Generator, leaf: Any) -> Any:
    made = rng.normal(size=np.shape(leaf))
    return made.astype(leaf.dtype) if isinstance(leaf, np.ndarray) else float(made)


def numbers(value: Any) -> np.ndarray[Any, Any]:
    """All floating-point numbers of a value."""
    if value is None:
        return np.zeros(0)
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, tuple):
        return np.concatenate([np.zeros(0), *map(numbers, value)])
    made = np.ravel(np.asarray(value))
    return made.astype(np.float64) if made.dtype.kind == "f" else np.zeros(0)


def difference(
    f: Function, leaves: Sequence[Any], places: Sequence[int], directions: Sequence[Any], h: float
) -> np.ndarray[Any, Any]:
    sides = []
    for sign in (h, -h):
        moved = list(leaves)
        for p, d in zip(places, directions, strict=True):
            leaf = f._entry.leaves[p]
            old = leaves[p]
            if isinstance(old, bytes):  # f16
                old = np.frombuffer(old, np.float16)[0]
            step = (np.asarray(old) + sign * np.asarray(d)).astype(DTYPES[leaf.elem])
            moved[p] = step if step.ndim else scalar(step, leaf, f.__name__)
        sides.append(numbers(f._ready()(*moved)))
    slope: np.ndarray[Any, Any] = (sides[0] - sides[1]) / (2 * h)
    return slope


def distance(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> float:
    if not (np.all(np.isfinite(a)) and np.all(np.isfinite(b))):
        return float("inf")
    size = max(float(np.linalg.norm(a)), float(np.linalg.norm(b)))
    return float(np.linalg.norm(a - b)) / size if size > 0 else 0.0


def forward_against_reverse(
    f: Function, args: Sequence[Any], wrt: Wrt, t: Any, directions: Sequence[Any], rng: Any
) -> float:
    """<seed, J d> against <J^T seed, d>."""
    seed = like(t, rng)
    g = numbers(vjp(f, wrt)(*args, seed)[1])
    d = np.concatenate([np.zeros(0), *(np.ravel(x) for x in directions)])
    terms = numbers(seed) * numbers(t)
    size = float(np.sum(np.abs(terms))) + float(np.sum(np.abs(g * d)))
    return abs(float(terms.sum()) - float(g @ d)) / size if size > 0 else 0.0


def like(value: Any, rng: np.random.Generator) -> Any:
    """Random numbers with the structure of a value."""
    if value is None:
        return None
    if hasattr(value, "_asdict"):
        return {k: like(v, rng) for k, v in value._asdict().items()}
    if isinstance(value, tuple):
        return tuple(like(v, rng) for v in value)
    if isinstance(value, dict):
        return {k: like(v, rng) for k, v in value.items()}
    made = rng.normal(size=np.shape(value))
    return made.astype(value.dtype) if np.ndim(value) else float(made)
