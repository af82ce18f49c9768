"""Functions of one vector, as optimisers want them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import ArgumentError
from ._values import DTYPES, build

if TYPE_CHECKING:
    from ._program import Function
    from ._transform import Selection


class Flat:
    """A value_and_grad whose first argument is a vector of all the parameters of wrt.

    The others follow, in order.  Scalars and shapes are those of the example given to `like`.
    """

    def __init__(self, f: Function, selection: Selection) -> None:
        self._f = f
        self._selection = selection
        self._shapes: list[tuple[int, ...]] | None = None
        wrt = {g.path.split(".")[0] for g in selection.groups}
        self._wrt = [p.name for p in f.params if p.name in wrt]
        if any(not p.type.is_leaf for p in f.params if p.name in wrt):
            raise ArgumentError("flat=True wants parameters that are arrays or numbers")

    def like(self, *values: Any) -> Flat:
        """Sets the shapes of the parameters of wrt from examples, in the order of wrt."""
        if len(values) != len(self._selection.groups):
            raise ArgumentError(f"like: {len(self._selection.groups)} examples wanted")
        self._shapes = [np.shape(v) for v in values]
        return self

    def flatten(self, *values: Any) -> np.ndarray[Any, Any]:
        """The vector of these values of the parameters; their shapes are kept for the calls."""
        self.like(*values)
        elem = np.result_type(*[DTYPES[leaf.elem] for leaf in self._selection.leaves])
        return np.concatenate([np.ravel(np.asarray(v, elem)) for v in values])

    def unflatten(self, x: np.ndarray[Any, Any]) -> Any:
        """The parameters in a vector, with the structure of wrt."""
        return build(self._selection.type, iter(self._parts(np.asarray(x))))

    def _parts(self, x: np.ndarray[Any, Any]) -> list[Any]:
        shapes = self._shapes
        if shapes is None:
            if len(self._selection.groups) != 1 or len(self._selection.leaves[0].shape) != 1:
                raise ArgumentError("flat=True: call flatten(..) or like(..) with a start first")
            shapes = [x.shape]
        total = sum(int(np.prod(shape, dtype=np.int64)) for shape in shapes)
        if x.shape != (total,):
            raise ArgumentError(f"x: expected a vector of {total} numbers, got shape {x.shape}")
        parts = []
        at = 0
        for shape, leaf in zip(shapes, self._selection.leaves, strict=True):
            n = int(np.prod(shape, dtype=np.int64))
            part = x[at : at + n].astype(DTYPES[leaf.elem], copy=False).reshape(shape)
            parts.append(part if leaf.shape else part[()])
            at += n
        return parts

    def __call__(self, x: Any, *others: Any) -> tuple[float, np.ndarray[Any, Any]]:
        parts = self._parts(np.asarray(x))
        given = dict(zip((g.path for g in self._selection.groups), parts, strict=True))
        rest: Sequence[Any] = list(others)
        left = [p.name for p in self._f.params if p.name not in self._wrt]
        if len(rest) != len(left):
            raise ArgumentError(f"{self._f.__name__}: expected {', '.join(left)} after the vector")
        given.update(zip(left, rest, strict=True))
        value, gradient = self._f(*[given[p.name] for p in self._f.params])
        whole = gradient if isinstance(gradient, tuple) else (gradient,)
        return float(value), np.concatenate([np.ravel(g) for g in whole]).astype(np.float64)
