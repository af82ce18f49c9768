"""Functions of programs in PyTorch: eager, torch.func, torch.compile, any order.

Two layers for each word over J (jvp), V (vjp) and M (map), each text compiled when first used:

    Call, an autograd.Function with backward, jvp and vmap       eager code and torch.func
    dagaz::.., a custom_op with register_fake, register_autograd  torch.compile and export

Dynamo refuses Functions with a jvp, and custom_ops give zero tangents without a word: so both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from . import _cache, _errors, _wrap
from ._errors import ArgumentError, UsageError
from ._manifest import Leaf, size_value
from ._program import Compiled, Function
from ._transform import program_function, sizes_of
from ._values import build, flatten, prepare
from ._wrap import Group, Term

DTYPES = {
    "f16": torch.float16,
    "f32": torch.float32,
    "f64": torch.float64,
    "i8": torch.int8,
    "i16": torch.int16,
    "i32": torch.int32,
    "i64": torch.int64,
    "u8": torch.uint8,
    "bool": torch.bool,
}


class Words:
    """The derivatives of one function, by word, as torch calls them."""

    def __init__(self, f: Function) -> None:
        t = f._term
        if not all(g.is_leaf for g in (*t.params, *t.results)):
            raise UsageError(f"{f}: sums and arrays of records are no tensors")
        for g in (*t.params, *t.results):
            if g.leaves[0].elem not in DTYPES:
                raise UsageError(f"{f}: PyTorch has no {g.leaves[0].elem}")
        self.function = f
        self.terms: dict[str, Term] = {"": t}
        self.calls: dict[str, Callable[..., Any]] = {}
        self.ops: dict[str, Any] = {}

    def term(self, word: str) -> Term:
        if word not in self.terms:
            rest, last = _wrap.word_parts(word)
            try:
                self.terms[word] = _wrap.step(self.term(rest), last)
            except UsageError as error:
                raise UsageError(f"{self.function}: {error}") from None
        return self.terms[word]

    def subset(self, word: str, wanted: tuple[bool, ...]) -> str:
        """A word that ends in V, by those parameters only that are wanted."""
        name = word + "".join("1" if w else "0" for w in wanted)
        if name not in self.terms:
            inner = self.term(word[:-1])
            wrt = [g for g in inner.params if g.is_float]
            chosen = [g for g, w in zip(wrt, wanted, strict=True) if w]
            self.terms[name] = _wrap.cotangents(inner, chosen, value=False)[0]
        return name

    def call(self, word: str) -> Callable[..., Any]:
        if word not in self.calls:
            f = self.function
            if not word:
                self.calls[word] = f._ready()
            else:
                name = f"{f.__name__}_{word}"
                user = f.program.path
                text = _wrap.program_text(self.term(word), user.removesuffix(".fut"), name)
                made = Compiled(
                    f"{user.rpartition('/')[0]}/{name}.fut", text, f.program._options, ()
                )
                self.calls[word] = made.plan(name).call
        return self.calls[word]

    def run(self, word: str, args: Sequence[torch.Tensor]) -> tuple[torch.Tensor, ...]:
        """Calls the program; tensors share memory with NumPy's arrays."""
        term = self.term(word)
        values = [(numpy_of(a, g), g.path) for a, g in zip(args, term.params, strict=True)]
        leaves = prepare(values, [g.leaves[0] for g in term.params], convert=False)
        try:
            out = self.call(word)(*leaves)
        except Exception as error:
            if type(error).__name__ == "CallFailed":
                raise _errors.call_error(*error.args) from None
            raise
        parts = (out,) if len(term.results) == 1 else out
        return tuple(torch.from_numpy(np.asarray(p)) for p in parts)

    def shapes(self, word: str, args: Sequence[torch.Tensor]) -> list[tuple[list[Any], Any]]:
        term = self.term(word)
        sizes = sizes_of(term.params, args)
        out = []
        for g in term.results:
            shape = [size_value(d, sizes) for d in g.leaves[0].shape]
            if None in shape:
                raise UsageError(
                    f"{self.function}: torch.compile wants the sizes of results before the call"
                )
            out.append((shape, DTYPES[g.leaves[0].elem]))
        return out


def numpy_of(t: torch.Tensor, g: Group) -> np.ndarray[Any, Any]:
    if t.device.type != "cpu":
        raise ArgumentError(f"{g.path}: expected a tensor on the CPU, got one on {t.device}")
    if t.layout is not torch.strided:
        raise ArgumentError(f"{g.path}: expected a dense tensor, got {t.layout}; pass .to_dense()")
    leaf = g.leaves[0]
    if t.dtype != DTYPES[leaf.elem]:
        raise ArgumentError(f"{g.path}: expected {DTYPES[leaf.elem]} ({leaf}), got {t.dtype}")
    made: np.ndarray[Any, Any] = t.detach().resolve_neg().contiguous().numpy()
    return made


# ---- eager: Function ---------------------------------------------------------------------------
def floats(groups: Sequence[Group]) -> list[bool]:
    return [g.is_float for g in groups]


class Call(torch.autograd.Function):
    """One word; its backward is the next V, its jvp the next J."""

    @staticmethod
    def forward(words: Words, word: str, *args: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return words.run(word, args)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        words, word, *args = inputs
        ctx.words, ctx.word = words, word
        ctx.save_for_backward(*args)
        ctx.save_for_forward(*args)
        ctx.set_materialize_grads(True)
        dull = [
            o
            for o, is_float in zip(output, floats(words.term(word).results), strict=True)
            if not is_float
        ]
        ctx.mark_non_differentiable(*dull)

    @staticmethod
    def backward(ctx: Any, *seeds: torch.Tensor) -> tuple[Any, ...]:
        words, word = ctx.words, ctx.word
        term = words.term(word)
        given = [s for s, is_float in zip(seeds, floats(term.results), strict=True) if is_float]
        needed = ctx.needs_input_grad[2:]
        kinds = floats(term.params)
        wanted = tuple(n for n, is_float in zip(needed, kinds, strict=True) if is_float)
        whole = all(wanted) or torch.is_grad_enabled()
        next_word = word + "V" if whole else words.subset(word + "V", wanted)
        args = [*ctx.saved_tensors, *given]
        out = iter(Call.apply(words, next_word, *args))
        grads: list[Any] = []
        for is_float, need in zip(kinds, needed, strict=True):
            grads.append(next(out) if is_float and (whole or need) else None)
        return None, None, *grads

    @staticmethod
    def jvp(ctx: Any, _words: Any, _word: Any, *tangents: Any) -> tuple[Any, ...]:
        words, word = ctx.words, ctx.word
        term = words.term(word)
        args = ctx.saved_tensors
        moved = [
            torch.zeros_like(a) if t is None else t
            for a, t, is_float in zip(args, tangents, floats(term.params), strict=True)
            if is_float
        ]
        out = iter(Call.apply(words, word + "J", *args, *moved))
        return tuple(next(out) if is_float else None for is_float in floats(term.results))

    @staticmethod
    def vmap(info: Any, dims: tuple[Any, ...], words: Words, word: str, *args: Any) -> Any:
        mapped = _wrap.mapped_word(words.term(word), [d is not None for d in dims[2:]])
        if mapped:
            sized = [
                a if d is None else a.movedim(d, 0) for a, d in zip(args, dims[2:], strict=True)
            ]
            out = Call.apply(words, word + mapped, *sized)
            return out, (0,) * len(out)
        rows = []
        for i in range(info.batch_size):
            own = [a if d is None else a.select(d, i) for a, d in zip(args, dims[2:], strict=True)]
            rows.append(Call.apply(words, word, *own))
        out = tuple(torch.stack(parts) for parts in zip(*rows, strict=True))
        return out, (0,) * len(out)


# ---- compiled: custom_op -----------------------------------------------------------------------
_registered: dict[str, Any] = {}


def operator(words: Words, word: str) -> Any:
    """The op of a word, registered once for each program, function and word."""
    if word in words.ops:
        return words.ops[word]
    f = words.function
    term = words.term(word)
    words.call(word)  # compiled now, not while torch traces
    key = _cache.key_of(f.program.path, f.text, word)[:8]
    name = f"dagaz::h{key}_{f.__name__}_{word or 'value'}".replace("'", "_")
    if name in _registered:
        words.ops[word] = _registered[name]
        return words.ops[word]
    params = ", ".join(f"Tensor x{i}" for i in range(len(term.params)))
    result = "(" + ", ".join(["Tensor"] * len(term.results)) + ")"
    single = len(term.results) == 1

    def run(*args: torch.Tensor) -> Any:
        out = words.run(word, args)
        return out[0] if single else out

    def fake(*args: torch.Tensor) -> Any:
        out = tuple(torch.empty(s, dtype=d) for s, d in words.shapes(word, args))
        return out[0] if single else out

    def setup(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        ctx.save_for_backward(*inputs)

    def backward(ctx: Any, *seeds: Any) -> Any:
        given = [s for s, is_float in zip(seeds, floats(term.results), strict=True) if is_float]
        out = operator(words, word + "V")(*ctx.saved_tensors, *given)
        parts = iter((out,) if isinstance(out, torch.Tensor) else out)
        grads = tuple(next(parts) if k else None for k in floats(term.params))
        return grads[0] if len(grads) == 1 else grads

    op = torch.library.custom_op(
        name, run, mutates_args=(), schema=f"({params}) -> {result if not single else 'Tensor'}"
    )
    op.register_fake(fake)
    if any(floats(term.params)) and any(floats(term.results)):
        op.register_autograd(backward, setup_context=setup)
    words.ops[word] = _registered[name] = op
    return op


# ---- what users call ---------------------------------------------------------------------------
def function(f: Function) -> Callable[..., Any]:
    """The function for PyTorch: differentiable to any order, in eager and compiled code.

    Parameters
    ----------
    f
        A function of a program whose parameters are numbers, arrays, tuples and records of them.

    Returns
    -------
    callable
        With f's parameters, on tensors on the CPU of the program's types.
    """
    program_function(f)
    words = Words(f)
    names = [p.name for p in f.params]
    for word in ("", "V"):
        try:
            operator(words, word)
        except UsageError:
            break

    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs or len(args) != len(names):
            args = tuple(f._bound(args, kwargs))
        leaves: list[torch.Tensor] = []
        for p, a in zip(f.params, args, strict=True):
            values = flatten(a, p.type, p.leaves, p.name)
            for (value, path), leaf in zip(values, p.leaves, strict=True):
                leaves.append(tensor(value, leaf, path))
        if torch.compiler.is_compiling():
            out = words.ops[""](*leaves)
            out = (out,) if isinstance(out, torch.Tensor) else tuple(out)
        else:
            out = Call.apply(words, "", *leaves)
        return build(f.result.type, iter(out))

    call.__name__ = call.__qualname__ = f.__name__
    call.__doc__ = f.__doc__
    return call


def tensor(value: Any, leaf: Leaf, path: str) -> torch.Tensor:
    """Python's numbers have the program's type; tensors must have it already."""
    if isinstance(value, torch.Tensor):
        if value.dim() != len(leaf.shape):
            raise ArgumentError(f"{path}: expected {leaf}, got shape {tuple(value.shape)}")
        return value
    if isinstance(value, (bool, int, float, list)):
        return torch.tensor(value, dtype=DTYPES[leaf.elem])
    raise ArgumentError(f"{path}: expected a tensor, got {type(value).__name__}")
