"""Functions of one vector, as optimisers want them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import ArgumentError
from ._values import DTYPES, build, counted, flatten

if TYPE_CHECKING:
    from ._manifest import Param
    from ._program import Function
    from ._transform import Selection
    from ._wrap import Group


class Flat:
    """A value_and_grad whose first argument is a vector of all that wrt names.

    The others follow, in order; a record of which wrt names a part follows, too, and its other
    fields are taken.  Scalars and shapes are those of the example given to `like`.
    """

    def __init__(self, f: Function, selection: Selection) -> None:
        self._f = f
        self._selection = selection
        self._shapes: list[tuple[int, ...]] | None = None
        for leaf, group in zip(selection.leaves, self._leaf_groups(), strict=True):
            if not leaf.is_float:
                raise ArgumentError(
                    f"flat=True wants numbers of floating point, and {group.path} has others, too"
                )
        self._places = [self._places_in(p.name) for p in f.params]
        each = list(zip(f.params, self._places, strict=True))
        self._rest = [p.name for p, places in each if -1 in places]

    def _leaf_groups(self) -> list[Group]:
        return [g for g in self._selection.groups for _ in g.leaves]

    def _places_in(self, name: str) -> list[int]:
        """Of each leaf of the parameter its place in the selection, or -1."""
        first: dict[Group, int] = {}
        at = 0
        for g in self._selection.groups:
            first[g] = at
            at += len(g.leaves)
        own = [g for g in self._f._term.params if g.path.split(".")[0] == name]
        return [first[g] + i if g in first else -1 for g in own for i in range(len(g.leaves))]

    def _leaves(self, values: Sequence[Any]) -> list[Any]:
        s = self._selection
        items = s.type.parts if s.several else (s.type,)
        if len(values) != len(items):
            wanted = counted(len(items), "example")
            raise ArgumentError(f"like: expected {wanted}, those of wrt, got {len(values)}")
        out: list[Any] = []
        for value, t in zip(values, items, strict=True):
            out += [v for v, _ in flatten(value, t, s.leaves[len(out) :], "x")]
        return out

    def like(self, *values: Any) -> Flat:
        """Sets the shapes of the parameters of wrt from examples, in the order of wrt."""
        self._shapes = [np.shape(v) for v in self._leaves(values)]
        return self

    def flatten(self, *values: Any) -> np.ndarray[Any, Any]:
        """The vector of these values of the parameters; their shapes are kept for the calls."""
        self.like(*values)
        elem = np.result_type(*[DTYPES[leaf.elem] for leaf in self._selection.leaves])
        return np.concatenate([np.ravel(np.asarray(v, elem)) for v in self._leaves(values)])

    def unflatten(self, x: np.ndarray[Any, Any]) -> Any:
        """The parameters in a vector, with the structure of wrt."""
        return build(self._selection.type, iter(self._parts(np.asarray(x))))

    def _parts(self, x: np.ndarray[Any, Any]) -> list[Any]:
        shapes = self._shapes
        if shapes is None:
            if len(self._selection.leaves) != 1 or len(self._selection.leaves[0].shape) != 1:
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
        if len(others) != len(self._rest):
            names = ", ".join(self._rest)
            raise ArgumentError(f"{self._f.__name__}: expected {names} after the vector")
        rest = iter(others)
        given = [
            parts[places[0]]
            if p.type.is_leaf and places[0] >= 0
            else self._argument(p, places, parts, rest)
            for p, places in zip(self._f.params, self._places, strict=True)
        ]
        value, gradient = self._f(*given)
        s = self._selection
        if len(s.leaves) == 1 and s.type.is_leaf:
            return float(value), np.ravel(gradient).astype(np.float64)
        whole = [v for v, _ in flatten(gradient, s.type, s.leaves, "gradient")]
        return float(value), np.concatenate([np.ravel(g) for g in whole]).astype(np.float64)

    def _argument(
        self, p: Param, places: Sequence[int], parts: Sequence[Any], rest: Iterator[Any]
    ) -> Any:
        """A parameter of which the vector holds nothing, a part, or all parts."""
        if places == [-1] * len(places):
            return next(rest)
        own: Sequence[Any] = places
        if -1 in places:
            own = [v for v, _ in flatten(next(rest), p.type, p.leaves, p.name)]
        leaves = [v if k < 0 else parts[k] for k, v in zip(places, own, strict=True)]
        return build(p.type, iter(leaves))
