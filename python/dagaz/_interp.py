"""Programs without a C compiler: each call is a run of `dagaz run --interp`.

The interface is that of _call.pyi.  An entry point is called through a small program that takes
records and tuples apart (_wrap.py), so that arguments and results are plain values in the
language's binary format: b, 2, rank, type, sizes, elements.
"""

from __future__ import annotations

import os
import struct
import tempfile
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _cache, _errors, _manifest, _tool, _wrap
from ._call_ctypes import fits_spec, specs_read
from ._errors import UsageError
from ._manifest import Entry, Leaf
from ._values import DTYPES

try:
    from ._call import CallFailed, Mismatch
except ImportError:
    from ._call_ctypes import CallFailed, Mismatch  # type: ignore[assignment]

OPTIONS = ("--strict-ieee", "--trace-nan", "--strict-order")  # of `dagaz c`, known to `dagaz run`


class Interpreter:
    """A program, or a text under a file's name, with a plan for each entry point."""

    def __init__(
        self, path: str, text: str | None, flags: Sequence[str], memory_limit: int
    ) -> None:
        if text is not None:
            path = _cache.kept_text(text, os.path.basename(path).removesuffix(".fut"))
        self.path = path
        self.calls = 0
        self.options = [word for word in flags if word in OPTIONS]
        if memory_limit:
            self.options += ["--memory-limit", str(memory_limit)]
        self._said = described(path, flags, of_derivative=text is not None)
        self._entries = list(_manifest.manifest_read(self._said).entries.values())

    def manifest(self) -> str:
        return self._said

    def plan(self, entry: int, inputs: bytes, outputs: bytes) -> Interpreted:
        return Interpreted(self, self._entries[entry], inputs)

    def report(self) -> tuple[int, int, int, int, int, int]:
        return (0, 0, 0, self.calls, 0, 0)

    def progress(self) -> tuple[int, int, int]:
        return (0, 0, 0)

    def clear(self) -> None:
        """Nothing is held between calls."""


class Interpreted:
    """An entry point."""

    def __init__(self, owner: Interpreter, entry: Entry, inputs: bytes) -> None:
        self._owner, self._entry = owner, entry
        self._inputs = specs_read(inputs)
        self._file = ""

    def _wrapper(self) -> str:
        """The program that takes and gives leaves."""
        term = _wrap.entry_term(self._entry, f"dz_user.{self._entry.name}")
        if not all(g.is_leaf for g in (*term.params, *term.results)):
            raise UsageError(
                f"{self._entry.name}: sums and arrays of records want a C compiler; "
                "install gcc or clang"
            )
        names = [f"r{g.name}" for g in term.results]
        body = f"let r = {term.body} in {_wrap.tuple_text(names)}"
        flat = _wrap.Term(term.params, term.results, body)
        text = _wrap.program_text(flat, self._owner.path.removesuffix(".fut"), "dz_call")
        return _cache.kept_text(text, "interpreted")

    def call(self, *leaves: Any) -> Any:
        sizes: dict[int, int] = {}
        for i, (spec, value) in enumerate(zip(self._inputs, leaves, strict=True)):
            if not fits_spec(spec, value, sizes):
                raise Mismatch(i)
        self._file = self._file or self._wrapper()
        given = b"".join(map(written, leaves, self._entry.leaves))
        command = ["run", "--interp", "-w", "-b", *self._owner.options, self._file]
        status, out, err = _tool.run_binary([*command, "-e", "dz_call"], given)
        self._owner.calls += 1
        if status != 0:
            raise CallFailed(2, err)
        made = values_read(out, self._entry.result.leaves)
        return made[0] if len(made) == 1 else tuple(made)


def described(path: str, flags: Sequence[str], of_derivative: bool) -> str:
    """The manifest of the program, with the compiler's messages as exceptions and warnings."""
    chosen = [f for f in flags if f not in ("--interruptible", "--memory-limit", "0")]
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "program")
        words = ["c", "--library", "--error-format=json", *chosen, "-o", out, path]
        status, _, err = _tool.run(words)
        _errors.compiler_said(status, err, of_derivative)
        with open(out + ".json", encoding="utf-8") as file:
            return file.read()


# ---- the binary format --------------------------------------------------------------------------
def written(value: Any, leaf: Leaf) -> bytes:
    """A leaf's value as bytes."""
    dtype = DTYPES[leaf.elem]
    array = np.frombuffer(value, dtype)[0] if isinstance(value, bytes) else np.asarray(value, dtype)
    head = struct.pack("<cBB4s", b"b", 2, array.ndim, leaf.elem.rjust(4).encode())
    return head + struct.pack(f"<{array.ndim}q", *array.shape) + array.tobytes()


def values_read(data: bytes, leaves: Sequence[Leaf]) -> list[Any]:
    """The values of the leaves."""
    out: list[Any] = []
    at = 0
    for leaf in leaves:
        rank = data[at + 2]
        shape = struct.unpack_from(f"<{rank}q", data, at + 7)
        at += 7 + 8 * rank
        dtype = DTYPES[leaf.elem]
        count = int(np.prod(shape, dtype=np.int64))
        array = np.frombuffer(data, dtype, count, at).reshape(shape).copy()
        out.append(array if rank else array[()])
        at += count * dtype.itemsize
    return out
