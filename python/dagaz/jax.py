"""Functions of programs in JAX: jit, grad, jvp, vmap, any order.

One primitive with the parameter `word` over J (jvp), V (vjp) and M (map):

    jvp rule        bind(x, w)  ->  bind(x, w), bind(x ++ t, w + "J")
    transpose rule  w ends in J and is linear in its tangents:  bind(x ++ ct, w[:-1] + "V")
    batching        bind(x with the batch in front, w + "M"), one call that maps; where sizes
                    would differ within the batch, one call after another (lax.map)

A word is the text of a derivative (_wrap.py); it is compiled when JAX first traces it.  XLA calls
the compiled word itself (_xla.py), or through Python where that cannot be, with JAX's buffers and
without a copy of arguments; or, with how="hlo", XLA compiles the word with what is around it
(_hlo.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import core, lax
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from . import _errors, _wrap
from ._errors import ArgumentError, UsageError
from ._manifest import Leaf, size_value
from ._program import Compiled, Function
from ._transform import program_function, sizes_of
from ._values import DTYPES, build, flatten, prepare
from ._wrap import Term


@dataclass
class Words:
    """The derivatives of one function, by word.

    The inputs of a word are all leaves of the function, then the floating-point ones again for each
    J, and a seed for each floating-point result for each V; M adds a dimension to some.
    """

    function: Function
    how: str = "call"
    terms: dict[str, Term] = field(default_factory=dict)
    made: dict[str, tuple[Compiled, str]] = field(default_factory=dict)

    def term(self, word: str) -> Term:
        if word not in self.terms:
            self.terms[word] = self._term(word)
        return self.terms[word]

    def _term(self, word: str) -> Term:
        if not word:
            t = self.function._term
            if not all(g.is_leaf for g in (*t.params, *t.results)):
                raise UsageError(f"{self.function}: sums and arrays of records are no JAX values")
            return t
        rest, last = _wrap.word_parts(word)
        return _wrap.step(self.term(rest), last)

    def compiled(self, word: str) -> tuple[Compiled, str]:
        """The object that a word is in, and its name there."""
        if word not in self.made:
            f = self.function
            if not word:
                self.made[word] = f._in_object()
            else:
                name = f"{f.__name__}_{word}"
                text = _wrap.program_text(
                    self.term(word), f.program.path.removesuffix(".fut"), name
                )
                path = f"{f.program.path.rpartition('/')[0]}/{name}.fut"
                self.made[word] = Compiled(path, text, f.program._options, ()), name
        return self.made[word]

    def call(self, word: str) -> Callable[..., Any]:
        if not word:
            return self.function._ready()
        compiled, name = self.compiled(word)
        return compiled.plan(name).call

    def key(self, word: str) -> str | None:
        """The key under which XLA calls the word; None: it calls through Python."""
        from . import _xla

        compiled, name = self.compiled(word)
        entry = compiled.manifest.entries[name]
        return _xla.entered(compiled, entry, self.function.program._options)

    def hlo(self, word: str, avals: Sequence[Any]) -> Callable[..., Any]:
        """The word for these shapes, which XLA compiles."""
        from . import _hlo

        term, name = self.term(word), f"{self.function.__name__}_{word or 'value'}"
        text = _wrap.program_text(term, self.function.program.path.removesuffix(".fut"), name)
        sizes = sizes_of(term.params, [_Shaped(a) for a in avals])
        scalars = [g.name for g in term.params if g.is_leaf and not g.leaves[0].shape]
        _hlo.no_sizes_as_parameters(scalars, sizes, self.function)
        module = _hlo.module_text(text, name, sizes)
        params = [(tuple(a.shape), a.dtype) for a in avals]
        call = _hlo.module_call(module, params, self.shapes(word, avals))
        return lambda *args: _hlo.checked(call(*args))

    def leaves(self, word: str) -> list[Leaf]:
        return [g.leaves[0] for g in self.term(word).params]

    def shapes(self, word: str, avals: Sequence[Any]) -> list[tuple[tuple[int, ...], Any]]:
        """The shapes and types of a word's results."""
        term = self.term(word)
        sizes = sizes_of(term.params, [_Shaped(a) for a in avals])
        out = []
        for g in term.results:
            shape = [size_value(d, sizes) for d in g.leaves[0].shape]
            if any(s is None for s in shape):
                raise UsageError(
                    f"{self.function}: JAX wants the sizes of results before the call, and "
                    f"{g.leaves[0]} has one that only the call tells"
                )
            out.append((tuple(s for s in shape if s is not None), DTYPES[g.leaves[0].elem]))
        return out


class _Shaped:
    """An array without elements, for sizes; a scalar's value is not known."""

    def __init__(self, aval: Any) -> None:
        self.shape = tuple(aval.shape)


# ---- the primitive -----------------------------------------------------------------------------
primitive = Primitive("dagaz")
primitive.multiple_results = True
_known: dict[int, Words] = {}


def words_of(f: Function, how: str = "call") -> int:
    """A number for the function, since parameters of primitives are compared and hashed."""
    for key, words in _known.items():
        if words.function is f and words.how == how:
            return key
    _known[len(_known)] = Words(f, how)
    return len(_known) - 1


def bind(args: Sequence[Any], key: int, word: str) -> list[Any]:
    return list(primitive.bind(*args, key=key, word=word))


def check(words: Words, word: str, avals: Sequence[Any]) -> None:
    """Types and ranks of what is traced; JAX would pass on anything."""
    for g, aval in zip(words.term(word).params, avals, strict=True):
        leaf = g.leaves[0]
        if np.dtype(aval.dtype) != DTYPES[leaf.elem]:
            wide = leaf.elem in ("f64", "i64", "u64") and jnp.result_type(float) != np.float64
            hint = '; set jax.config.update("jax_enable_x64", True)' if wide else ""
            raise ArgumentError(
                f"{g.path}: expected {DTYPES[leaf.elem]} ({leaf}), got {aval.dtype}{hint}"
            )
        if len(aval.shape) != len(leaf.shape):
            raise ArgumentError(f"{g.path}: expected {leaf}, got shape {tuple(aval.shape)}")


def abstract(*avals: Any, key: int, word: str) -> list[Any]:
    words = _known[key]
    check(words, word, avals)
    return [core.ShapedArray(shape, dtype) for shape, dtype in words.shapes(word, avals)]


def run(words: Words, word: str, args: Sequence[Any]) -> tuple[Any, ...]:
    term = words.term(word)
    values = [(np.asarray(a), g.path) for a, g in zip(args, term.params, strict=True)]
    leaves = prepare(values, [g.leaves[0] for g in term.params], convert=False)
    try:
        out = words.call(word)(*leaves)
    except Exception as error:
        if type(error).__name__ == "CallFailed":
            raise _errors.call_error(*error.args) from None
        raise
    return (out,) if len(term.results) == 1 else out


def implementation(*args: Any, key: int, word: str) -> list[Any]:
    words = _known[key]
    args = tuple(jnp.asarray(a) for a in args)
    check(words, word, args)
    if words.how == "hlo":
        return list(jax.jit(lambda *a: lowered(*a, key=key, word=word))(*args))
    return [jnp.asarray(r) for r in run(words, word, args)]


def lowered_for_cpu(*args: Any, key: int, word: str) -> list[Any]:
    words = _known[key]
    entry = None if words.how == "hlo" else words.key(word)
    if entry is None:
        return lowered(*args, key=key, word=word)
    from . import _xla

    return list(_xla.call(entry, structs(words, word, args), args))


def structs(words: Words, word: str, args: Sequence[Any]) -> list[Any]:
    return [jax.ShapeDtypeStruct(s, d) for s, d in words.shapes(word, args)]


def lowered(*args: Any, key: int, word: str) -> list[Any]:
    words = _known[key]
    if words.how == "hlo":
        return list(words.hlo(word, args)(*args))
    shapes = structs(words, word, args)
    words.call(word)  # compiled while JAX compiles, not in the first call

    def back(*values: Any) -> tuple[Any, ...]:
        return tuple(np.asarray(r) for r in run(words, word, values))

    return list(jax.pure_callback(back, tuple(shapes), *args, vmap_method="sequential"))


def forward(primals: Sequence[Any], tangents: Sequence[Any], key: int, word: str) -> Any:
    words = _known[key]
    params = words.term(word).params
    results = words.term(word).results
    out = bind(primals, key, word)
    dense = [ad.instantiate_zeros(t) for t, g in zip(tangents, params, strict=True) if g.is_float]
    moved = iter(bind((*primals, *dense), key, word + "J"))
    zeros = [
        next(moved) if g.is_float else ad.Zero(core.ShapedArray(np.shape(o), jax.dtypes.float0))
        for g, o in zip(results, out, strict=True)
    ]
    return out, zeros


def backward(cotangents: Sequence[Any], *args: Any, key: int, word: str) -> list[Any]:
    """Of a word that ends in J, which is linear in its last arguments."""
    words = _known[key]
    inner = words.term(word[:-1]).params
    primals = args[: len(inner)]
    seeds = [ad.instantiate_zeros(c) for c in cotangents]
    out = bind((*primals, *seeds), key, word[:-1] + "V")
    return [None] * len(inner) + out


def batched(args: Sequence[Any], axes: Sequence[Any], key: int, word: str) -> Any:
    sized = [jnp.moveaxis(a, x, 0) if x is not None else a for a, x in zip(args, axes, strict=True)]
    mapped = _wrap.mapped_word(_known[key].term(word), [x is not None for x in axes])
    if mapped:
        out = bind(sized, key, word + mapped)
        return out, [0] * len(out)
    moving = [a for a, x in zip(sized, axes, strict=True) if x is not None]

    def one(parts: Sequence[Any]) -> list[Any]:
        left = iter(parts)
        whole = [a if x is None else next(left) for a, x in zip(sized, axes, strict=True)]
        return bind(whole, key, word)

    out = lax.map(one, moving)
    return out, [0] * len(out)


primitive.def_impl(implementation)
primitive.def_abstract_eval(abstract)
ad.primitive_jvps[primitive] = forward
ad.primitive_transposes[primitive] = backward
batching.primitive_batchers[primitive] = batched
mlir.register_lowering(primitive, mlir.lower_fun(lowered, multiple_results=True))
mlir.register_lowering(
    primitive, mlir.lower_fun(lowered_for_cpu, multiple_results=True), platform="cpu"
)


# ---- what users call ---------------------------------------------------------------------------
def function(f: Function, how: str = "call") -> Callable[..., Any]:
    """The function for JAX: under jit, grad, jvp, vmap, scan, to any order.

    Parameters
    ----------
    f
        A function of a program whose parameters are numbers, arrays, tuples and records of them
        (dicts, in JAX).
    how
        "call": compiled code calls the program's; "hlo": XLA compiles the program as StableHLO with
        what is around it, on any device and mesh (doc/hlo.md).  Where a check of the program fails,
        floating-point results are then NaN.

    Returns
    -------
    callable
        With f's parameters, on JAX arrays; 64-bit types want ``jax_enable_x64``.
    """
    program_function(f)
    if how not in ("call", "hlo"):
        raise UsageError(f'how is "call" or "hlo", not {how!r}')
    key = words_of(f, how)
    words = _known[key]
    words.term("")

    def call(*args: Any, **kwargs: Any) -> Any:
        leaves: list[Any] = []
        for p, a in zip(f.params, f._bound(args, kwargs), strict=True):
            for (value, path), leaf in zip(
                flatten(a, p.type, p.leaves, p.name), p.leaves, strict=True
            ):
                leaves.append(leaf_argument(value, leaf, path))
        out = bind(leaves, key, "")
        return plain(build(f.result.type, iter(out)))

    call.__name__ = call.__qualname__ = f.__name__
    call.__doc__ = f.__doc__
    return call


def leaf_argument(value: Any, leaf: Leaf, path: str) -> Any:
    """Python's numbers and lists have the program's type; arrays must have it already."""
    if isinstance(value, (bool, int, float, list, tuple)):
        ok = isinstance(value, (list, tuple)) or not leaf.shape
        if ok:
            return jnp.asarray(value, DTYPES[leaf.elem])
    try:
        return jnp.asarray(value)
    except TypeError as error:
        raise ArgumentError(f"{path}: {error}") from None


def plain(value: Any) -> Any:
    """Records as dicts, which JAX takes apart."""
    if hasattr(value, "_asdict"):
        return {k: plain(v) for k, v in value._asdict().items()}
    return tuple(map(plain, value)) if isinstance(value, tuple) else value
