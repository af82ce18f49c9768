"""Derivatives of functions, as functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, overload

import numpy as np

from . import _wrap
from ._errors import ArgumentError, UsageError
from ._flat import Flat
from ._manifest import Leaf, Param, Type, size_value
from ._program import Function, derived
from ._values import DTYPES
from ._wrap import Group, Term

Wrt = str | int | Sequence[str | int] | None
NOTHING = Type("none", "", 0)


@dataclass(frozen=True)
class Selection:
    """The parameters that a derivative is by."""

    groups: tuple[Group, ...]
    type: Type
    leaves: tuple[Leaf, ...]
    several: bool = False  # its type is a tuple of what wrt names


# ---- which parameters ---------------------------------------------------------------------------
def differentiable(t: Type, leaves: Sequence[Leaf]) -> tuple[Type, tuple[Leaf, ...]]:
    """The type of derivatives by a value of the type: parts that have none are left out."""
    if t.kind not in ("record", "tuple"):
        if any(leaf.is_float for leaf in leaves):
            return t, tuple(leaves)
        return NOTHING, ()
    parts: list[Type] = []
    kept: list[Leaf] = []
    at = 0
    for part in t.parts:
        own, own_leaves = differentiable(part, leaves[at : at + part.leaves])
        parts.append(own)
        kept += own_leaves
        at += part.leaves
    return replace(t, parts=tuple(parts), leaves=len(kept)), tuple(kept)


def select(f: Function, wrt: Wrt) -> Selection:
    """The selection that wrt means; raises UsageError."""
    program_function(f)
    if not (wrt is None or isinstance(wrt, (str, int, tuple, list))):
        raise UsageError(f"wrt: expected names or positions of parameters, got {wrt!r}")
    several = not (wrt is None or isinstance(wrt, (str, int)))
    chosen: list[str | int] = [wrt] if isinstance(wrt, (str, int)) else list(wrt or ())
    if wrt is None:
        chosen = [p.name for p in f.params if any(leaf.is_float for leaf in p.leaves)]
        several = len(chosen) > 1
    if not chosen and wrt is not None:
        raise UsageError(
            f"wrt: {wrt!r} names no parameter; {f.__name__} has {[p.name for p in f.params]}"
        )
    if not chosen:
        raise UsageError(f"{f.__name__} has no parameter of floating point")
    items = [select_one(f, w) for w in chosen]
    groups = tuple(g for item in items for g in item.groups)
    if len(set(groups)) != len(groups):
        raise UsageError(f"wrt: {wrt} names a parameter twice")
    if not several:
        return items[0]
    leaves = tuple(leaf for item in items for leaf in item.leaves)
    names = tuple(map(str, range(len(items))))
    return Selection(
        groups, Type("tuple", "", len(leaves), names, tuple(i.type for i in items)), leaves, True
    )


def select_one(f: Function, wrt: str | int) -> Selection:
    names = [p.name for p in f.params]
    if isinstance(wrt, int) and not isinstance(wrt, bool):
        if not -len(names) <= wrt < len(names):
            raise UsageError(f"wrt: {f.__name__} has {len(names)} parameters, no number {wrt}")
        wrt = names[wrt]
    path = str(wrt).split(".")
    if path[0] not in names:
        raise UsageError(f"wrt: {f.__name__} has no parameter {path[0]}; it has {names}")
    param = f.params[names.index(path[0])]
    t, leaves = param.type, param.leaves
    for fld in path[1:]:
        if fld not in t.fields or t.kind not in ("record", "tuple"):
            raise UsageError(f"wrt: {wrt}: {t.name} has no field {fld}")
        k = t.fields.index(fld)
        before = sum(p.leaves for p in t.parts[:k])
        t, leaves = t.parts[k], leaves[before : before + t.parts[k].leaves]
    own, kept = differentiable(t, leaves)
    if not kept:
        raise UsageError(f"wrt: {wrt} is {param}, which has no derivative")
    inside = [g for g in f._term.params if g.path == wrt or g.path.startswith(f"{wrt}.")]
    return Selection(tuple(g for g in inside if g.is_float), own, kept)


def program_function(f: Any) -> None:
    """Refuses what is no function of a program."""
    if not isinstance(f, Function):
        raise UsageError(f"f: expected a function of a program, got {type(f).__name__}")


def one_number(f: Function, what: str) -> None:
    """Refuses functions that do not give one floating-point number."""
    program_function(f)
    leaves = f.result.leaves
    if len(leaves) != 1 or leaves[0].shape or not leaves[0].is_float:
        raise UsageError(
            f"{what} wants a function with one floating-point number as result; {f} has another. "
            "Use jacobian, or vjp"
        )


def differentiable_again(f: Function, what: str) -> None:
    """Refuses Jacobians and Hessians, whose texts are over one vector, and functions whose result
    has a size that only a call tells."""
    program_function(f)
    if f._origin and f._origin[0] in ("jacobian", "hessian"):
        raise UsageError(
            f"{what}: {f.__name__} is not differentiated again; take {what} of a function of the "
            "program that calls lib/ad, or nest jvp, vjp and grad"
        )
    for leaf in f.result.leaves:
        if leaf.is_float and None in leaf.shape:
            raise UsageError(
                f"{what} wants a function with a result of known size; {f} has {leaf}. "
                'Sum it up in the program, or give its size there: "(..) :> [k]t"'
            )


def pair(first: Param, t: Type, leaves: Sequence[Leaf]) -> Param:
    """(value, derivative)."""
    both = (*first.leaves, *leaves)
    whole = Type("tuple", "", len(both), ("0", "1"), (first.type, t))
    return Param("result", whole, both)


def remembered(made: Function, how: str, f: Function, **options: Any) -> Function:
    """How the function was made, for pickling."""
    made._origin = (how, f, options)
    return made


# ---- first derivatives --------------------------------------------------------------------------
def grad(f: Function, wrt: Wrt = None) -> Function:
    """The gradient of a function with one number as result.

    Parameters
    ----------
    f
        A function of a program.
    wrt
        By which parameters: names, positions, or fields (``"p.w"``), or several in a tuple.
        Default: every parameter of floating point.

    Returns
    -------
    Function
        With f's parameters; its result has the structure of wrt.

    Examples
    --------
    >>> p = dagaz.source("def f (x: f64) (y: f64) = x * x * y")
    >>> dagaz.grad(p.f)(3.0, 2.0)
    (np.float64(12.0), np.float64(9.0))
    """
    one_number(f, "grad")
    s = select(f, wrt)
    term = _wrap.gradient(f._term, s.groups, value=False)
    result = Param("result", s.type, s.leaves)
    return remembered(derived(f, f"{f.__name__}_grad", f.params, result, term), "grad", f, wrt=wrt)


@overload
def value_and_grad(f: Function, wrt: Wrt = None, *, flat: Literal[False] = False) -> Function: ...
@overload
def value_and_grad(f: Function, wrt: Wrt = None, *, flat: Literal[True]) -> Flat: ...
def value_and_grad(f: Function, wrt: Wrt = None, *, flat: bool = False) -> Function | Flat:
    """The value and the gradient at once.

    Parameters
    ----------
    f, wrt
        As for `grad`.
    flat
        For optimisers: the function takes one vector first, which holds what wrt names, one
        after another, and then the others; `flatten` and `unflatten` of the result make it and
        take it to pieces.
    """
    one_number(f, "value_and_grad")
    s = select(f, wrt)
    term = _wrap.gradient(f._term, s.groups, value=True)
    result = pair(f.result, s.type, s.leaves)
    made = derived(f, f"{f.__name__}_value_and_grad", f.params, result, term)
    made = remembered(made, "value_and_grad", f, wrt=wrt, flat=flat)
    if not flat:
        return made
    return Flat(made, s)


def jvp(f: Function, wrt: Wrt = None) -> Function:
    """Forward mode: the function takes one more argument, the direction, with the structure of
    wrt, and gives (value, tangent)."""
    differentiable_again(f, "jvp")
    s = select(f, wrt)
    term, _ = _wrap.tangents(f._term, s.groups, value=True)
    params = (*f.params, Param("direction", s.type, s.leaves))
    result = pair(f.result, *differentiable(f.result.type, f.result.leaves))
    made = derived(f, f"{f.__name__}_jvp", params, result, term)
    return remembered(made, "jvp", f, wrt=wrt)


def vjp(f: Function, wrt: Wrt = None) -> Function:
    """Reverse mode: the function takes one more argument, the seed, with the structure of the
    result, and gives (value, derivative by wrt)."""
    differentiable_again(f, "vjp")
    s = select(f, wrt)
    term, _ = _wrap.cotangents(f._term, s.groups, value=True)
    t, leaves = differentiable(f.result.type, f.result.leaves)
    if not leaves:
        raise UsageError(f"vjp: the result of {f} has no derivative")
    params = (*f.params, Param("seed", t, leaves))
    made = derived(f, f"{f.__name__}_vjp", params, pair(f.result, s.type, s.leaves), term)
    return remembered(made, "vjp", f, wrt=wrt)


# ---- second derivatives -------------------------------------------------------------------------
def hvp(f: Function, wrt: Wrt = None) -> Function:
    """The Hessian times a direction, which is the last argument: forward over reverse mode."""
    one_number(f, "hvp")
    s = select(f, wrt)
    reverse = _wrap.gradient(f._term, s.groups, value=False)
    term, _ = _wrap.tangents(reverse, s.groups, value=False)
    params = (*f.params, Param("direction", s.type, s.leaves))
    made = derived(f, f"{f.__name__}_hvp", params, Param("result", s.type, s.leaves), term)
    return remembered(made, "hvp", f, wrt=wrt)


def hessian(f: Function, wrt: Wrt = None, *, sparse: bool = False) -> Function:
    """The Hessian.

    Dense, it has the shape of wrt twice; of several parameters it is a tuple of rows of blocks.
    With ``sparse=True`` it is a ``scipy.sparse.csr_matrix`` over all of wrt as one vector.
    """
    one_number(f, "hessian")
    s = select(f, wrt)
    term, groups = _wrap.split_rows(f._term, s.groups)
    s = replace(s, groups=groups)
    call = "sparse_hessian" if sparse else "hessian"
    made = over_vectors(f, term, s, None, call)
    made._finish = finish_sparse if sparse else blocks(s, s)
    return remembered(made, "hessian", f, wrt=wrt, sparse=sparse)


def jacobian(f: Function, wrt: Wrt = None, *, sparse: bool = False, mode: str = "auto") -> Function:
    """The Jacobian.

    Parameters
    ----------
    f, wrt
        As for `grad`, but results may be arrays, numbers and tuples or records of them.
    sparse
        A ``scipy.sparse.csr_matrix`` of all results by all of wrt, each as one vector: its pattern
        is found, its columns are coloured, or it is made of small blocks (doc/lib-ad.md).
    mode
        "forward", "reverse", or "auto": whichever needs fewer sweeps.

    Returns
    -------
    Function
        Dense: the shape of the result followed by the shape of wrt; a tuple for several results,
        and within it for several parameters.
    """
    calls = {"auto": "jacobian", "forward": "jacobian_forward", "reverse": "jacobian_reverse"}
    if mode not in calls:
        raise UsageError(f"mode: {mode!r} is none of {', '.join(calls)}")
    differentiable_again(f, "jacobian")
    s = select(f, wrt)
    term, groups = _wrap.split_rows(f._term, s.groups)
    s = replace(s, groups=groups)
    results = tuple(g for g in f._term.results if g.is_float)
    if not results:
        raise UsageError(f"jacobian: the result of {f} has no derivative")
    call = "sparse_jacobian" if sparse else calls[mode]
    made = over_vectors(f, term, s, results, call)
    out = Selection(results, *differentiable(f.result.type, f.result.leaves))
    made._finish = finish_sparse if sparse else blocks(out, s)
    return remembered(made, "jacobian", f, wrt=wrt, sparse=sparse, mode=mode)


def over_vectors(
    f: Function,
    term: Term,
    s: Selection,
    results: tuple[Group, ...] | None,
    call: str,
) -> Function:
    """A function of lib/ad applied to f, as the term, as a function of vectors."""
    name = f"{f.__name__}_{call}"
    elem = _wrap.one_elem(s.groups, call)
    if results:
        _wrap.one_elem((*results, *s.groups), call)
    params, x = _wrap.over_vector(term, s.groups, elem)
    hidden = _wrap.hidden_sizes(term, s.groups, params)
    body = f"dz_ad.{call} {_wrap.vector_function(term, s.groups, results)} {x}"
    needs = term.needs | {f'import "lib/ad"\nmodule dz_ad = mk_ad {elem}'}
    new = Term(params, (), body, needs, hidden)
    leaf = Leaf(elem, (None,)) if call.startswith("sparse") else Leaf(elem, (None, None))
    made = derived(f, name, f.params, Param("result", Type("leaf", "", 1), (leaf,)), new)
    if call.startswith("sparse"):
        indices = Leaf("i64", (None,))
        t = Type("tuple", "", 3, ("0", "1", "2"), (Type("leaf", "", 1),) * 3)
        result = Param("result", t, (indices, indices, leaf))
        made = derived(f, name, f.params, result, new)
    made._hidden = packer(term, s.groups, params, hidden)
    return made


def packer(
    term: Term, wrt: Sequence[Group], params: Sequence[Group], hidden: Sequence[str]
) -> Callable[[Sequence[Any]], list[Any]]:
    """From the leaves of a function to those of the same over vectors."""
    at: dict[Group, int] = {}
    n = 0
    for g in term.params:
        at[g] = n
        n += len(g.leaves)

    def pack(leaves: Sequence[Any]) -> list[Any]:
        sizes = sizes_of(term.params, leaves)
        out: list[Any] = [sizes[h] for h in hidden]
        for g in params:
            if g in at:
                out += leaves[at[g] : at[g] + len(g.leaves)]
            else:
                parts = [np.ravel(leaves[at[w]]) for w in wrt]
                out.append(np.concatenate(parts).astype(DTYPES[wrt[0].leaves[0].elem], copy=False))
        return out

    return pack


def sizes_of(groups: Sequence[Group], leaves: Sequence[Any]) -> dict[str, int]:
    """The values of the names of sizes."""
    sizes: dict[str, int] = {}
    at = 0
    for g in groups:
        for leaf in g.leaves:
            made = leaves[at]
            at += 1
            if not leaf.shape and leaf.elem == "i64" and isinstance(made, int):
                sizes.setdefault(g.name, made)
            for d, dim in enumerate(leaf.shape):
                if isinstance(dim, str) and dim.isidentifier():
                    sizes.setdefault(dim, made.shape[d])
    return sizes


def shape_of(g: Group, sizes: dict[str, int]) -> tuple[int, ...]:
    """A group's shape, sizes being known."""
    return tuple(-1 if v is None else v for v in (size_value(d, sizes) for d in g.leaves[0].shape))


Finish = Callable[[Any, Function, Sequence[Any]], Any]


def blocks(rows: Selection, columns: Selection) -> Finish:
    """Cuts a matrix into the blocks of results and parameters."""

    def finish(matrix: Any, f: Function, leaves: Sequence[Any]) -> Any:
        sizes = sizes_of(f._origin[1]._term.params, leaves)
        across = [shape_of(g, sizes) for g in columns.groups]
        down = [shape_of(g, sizes) for g in rows.groups]
        if len(down) == 1 and len(across) == 1:
            return matrix.reshape((*known(down[0], matrix.shape[0]), *across[0]))
        if any(-1 in shape for shape in down):
            raise ArgumentError(f"{f.__name__}: sizes of several results must be known")
        out = []
        top = 0
        for shape in down:
            height = int(np.prod(shape, dtype=np.int64))
            row, left = [], 0
            for other in across:
                width = int(np.prod(other, dtype=np.int64))
                part = matrix[top : top + height, left : left + width]
                row.append(part.reshape((*shape, *other)))
                left += width
            out.append(tuple(row) if len(across) > 1 else row[0])
            top += height
        return tuple(out) if len(down) > 1 else out[0]

    return finish


def known(shape: tuple[int, ...], total: int) -> tuple[int, ...]:
    """A shape with at most one size that is not known."""
    rest = int(np.prod([s for s in shape if s >= 0], dtype=np.int64))
    return tuple(total // max(rest, 1) if s < 0 else s for s in shape)


def finish_sparse(parts: Any, f: Function, leaves: Sequence[Any]) -> Any:
    """Compressed rows as SciPy's matrix."""
    try:
        from scipy import sparse
    except ModuleNotFoundError as error:
        raise UsageError("sparse=True wants SciPy: pip install scipy") from error
    offsets, columns, values = parts
    base: Function = f._origin[1]
    s = select(base, f._origin[2]["wrt"])
    _, groups = _wrap.split_rows(base._term, s.groups)
    sizes = sizes_of(base._term.params, leaves)
    width = sum(int(np.prod(shape_of(g, sizes), dtype=np.int64)) for g in groups)
    return sparse.csr_matrix((values, columns, offsets), shape=(len(offsets) - 1, width))
