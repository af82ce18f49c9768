"""The call by leaves with ctypes, where the extension _call could not be built.

It is slower by some microseconds a call, and Ctrl-C waits for the end of a call.  The interface is
that of _call.pyi.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._manifest import PRIMS
from ._values import DTYPES, fits_float


class Mismatch(Exception):
    """An argument is not exactly as the program wants it."""


class CallFailed(Exception):
    """(code, text) of a call that failed."""


class _Leaf(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("block", ctypes.c_void_p),
        ("bits", ctypes.c_int64),
        ("shape", ctypes.c_int64 * 8),
    ]


class _Block:
    """Memory that the program made, for NumPy."""

    def __init__(self, library: Library, context: int, leaf: _Leaf, prim: int, rank: int) -> None:
        self._library, self._context, self._block = library, context, leaf.block
        self.__array_interface__ = {
            "shape": tuple(leaf.shape[:rank]),
            "typestr": DTYPES[PRIMS[prim]].str,
            "data": (leaf.data or 0, False),
            "version": 3,
        }

    def __del__(self) -> None:
        self._library.so.dagaz_block_free(self._context, self._block)


def specs_read(text: bytes) -> list[tuple[int, int, tuple[int, ...]]]:
    return [(s[0], s[1], s[2:]) for s in struct.iter_unpack("=ii8q", text)]


class Library:
    """A shared object with its free contexts."""

    def __init__(
        self, path: str, memory_limit: int, threads: int, tuning: Sequence[tuple[str, int]]
    ) -> None:
        self.so = ctypes.CDLL(path)
        self.memory_limit, self.threads, self.tuning = memory_limit, threads, tuning
        self.idle: list[int] = []
        self.made: list[int] = []
        pointer, so = ctypes.c_void_p, self.so
        so.dagaz_manifest.restype = ctypes.c_char_p
        so.dagaz_context_new.restype = pointer
        so.dagaz_context_new.argtypes = [ctypes.c_int64]
        so.dagaz_context_error.restype = pointer
        for name in ("error", "clear", "release"):
            getattr(so, f"dagaz_context_{name}").argtypes = [pointer]
        so.dagaz_context_progress.argtypes = [pointer, pointer]
        so.dagaz_context_report.argtypes = [pointer, pointer]
        so.dagaz_context_tune.argtypes = [pointer, ctypes.c_char_p, ctypes.c_int64]
        so.dagaz_context_threads.argtypes = [pointer, ctypes.c_int]
        so.dagaz_call.argtypes = [pointer, ctypes.c_int, pointer, pointer]
        so.dagaz_block_free.argtypes = [pointer, pointer]

    def error(self, context: int) -> str:
        at = self.so.dagaz_context_error(context)
        if not at:
            return ""
        text = ctypes.string_at(at).decode(errors="replace")
        free = ctypes.CDLL(None).free
        free.argtypes = [ctypes.c_void_p]
        free(at)
        return text

    def take(self) -> int:
        try:
            return self.idle.pop()
        except IndexError:
            context: int = self.so.dagaz_context_new(self.memory_limit)
        self.so.dagaz_context_threads(context, self.threads)
        text = self.error(context)
        if text:
            self.so.dagaz_context_release(context)
            raise CallFailed(2, text)
        for name, value in self.tuning:
            if self.so.dagaz_context_tune(context, name.encode(), value) != 0:
                raise CallFailed(1, f"tuning: the program has no parameter {name}")
        self.made.append(context)
        return context

    def __del__(self) -> None:
        for context in getattr(self, "made", []):
            self.so.dagaz_context_release(context)

    def manifest(self) -> str:
        text: bytes = self.so.dagaz_manifest()
        return text.decode()

    def plan(self, entry: int, inputs: bytes, outputs: bytes) -> Plan:
        return Plan(self, entry, specs_read(inputs), specs_read(outputs))

    def report(self) -> tuple[int, ...]:
        total = [0] * 5
        for context in self.idle:
            facts = (ctypes.c_int64 * 5)()
            self.so.dagaz_context_report(context, facts)
            total = [a + b for a, b in zip(total, facts, strict=True)]
        return (*total, len(self.made))

    def progress(self) -> tuple[int, int, int]:
        busy = [c for c in self.made if c not in self.idle]
        facts = (ctypes.c_int64 * 3)()
        if busy:
            self.so.dagaz_context_progress(busy[-1], facts)
        return facts[0], facts[1], facts[2]

    def clear(self) -> None:
        for context in self.idle:
            self.so.dagaz_context_clear(context)


Specs = list[tuple[int, int, tuple[int, ...]]]


class Plan:
    """An entry point."""

    def __init__(self, library: Library, entry: int, inputs: Specs, outputs: Specs) -> None:
        self.library, self.entry = library, entry
        self.inputs, self.outputs = inputs, outputs

    def call(self, *leaves: Any) -> Any:
        given = (_Leaf * max(1, len(self.inputs)))()
        out = (_Leaf * max(1, len(self.outputs)))()
        sizes: dict[int, int] = {}
        for i, (spec, value) in enumerate(zip(self.inputs, leaves, strict=True)):
            if not _filled(spec, value, given[i], sizes):
                raise Mismatch(i)
        context = self.library.take()
        try:
            code = self.library.so.dagaz_call(context, self.entry, given, out)
            if code != 0:
                raise CallFailed(code, self.library.error(context))
            made = [self._result(context, s, o) for s, o in zip(self.outputs, out, strict=False)]
        finally:
            self.library.idle.append(context)
        return made[0] if len(self.outputs) == 1 else tuple(made)

    def _result(self, context: int, spec: tuple[int, int, tuple[int, ...]], leaf: _Leaf) -> Any:
        if spec[1]:
            return np.asarray(_Block(self.library, context, leaf, spec[0], spec[1]))
        dtype = DTYPES[PRIMS[spec[0]]]
        return np.frombuffer(struct.pack("<q", leaf.bits), dtype, 1)[0]


def fits_spec(spec: tuple[int, int, tuple[int, ...]], value: Any, sizes: dict[int, int]) -> bool:
    """Whether a value is exactly what a leaf wants; notes the sizes that it has."""
    return _filled(spec, value, _Leaf(), sizes)


def _filled(spec: Any, value: Any, leaf: _Leaf, sizes: dict[int, int]) -> bool:
    return (_array if spec[1] else _scalar)(spec, value, leaf, sizes)


def _fits(code: int, size: int, sizes: dict[int, int]) -> bool:
    return size == code if code >= 0 else code == -1 or sizes.setdefault(code, size) == size


def _array(spec: Any, x: Any, leaf: _Leaf, sizes: dict[int, int]) -> bool:
    prim, rank, dims = spec
    if type(x) is not np.ndarray or x.dtype != DTYPES[PRIMS[prim]] or x.ndim != rank:
        return False
    if not x.flags.c_contiguous or not x.flags.aligned:
        return False
    leaf.data = x.__array_interface__["data"][0]
    leaf.shape[:rank] = x.shape
    return all(_fits(c, s, sizes) for c, s in zip(dims, x.shape, strict=False))


def _scalar(spec: Any, x: Any, leaf: _Leaf, sizes: dict[int, int]) -> bool:
    name = PRIMS[spec[0]]
    if name == "bool":
        good = x is True or x is False
    elif name == "f16":
        good = isinstance(x, bytes) and len(x) == 2
    elif name[0] == "f":
        good = isinstance(x, float) and (name == "f64" or fits_float(x, DTYPES[name]))
    else:
        limits = np.iinfo(DTYPES[name])
        good = isinstance(x, int) and limits.min <= x <= limits.max
    if not good:
        return False
    if isinstance(x, bytes):
        leaf.bits = int.from_bytes(x, "little")
    elif name == "f32":
        leaf.bits = int(np.float32(x).view(np.uint32))
    elif name == "f64":
        leaf.bits = struct.unpack("<q", struct.pack("<d", x))[0]
    else:
        leaf.bits = x - (1 << 64) if x >= 1 << 63 else int(x)
    return spec[2][0] >= -1 or _fits(spec[2][0], int(x), sizes)
