"""Calls of compiled programs by XLA without Python: the handler of _xla.c, built on first use.

The header of the interface comes with jaxlib; the handler is kept in the cache by its text, the
version of JAX and the C compiler.  Without a C compiler, without the header, or with options that
want Python during a call, `handler` and `entered` say None, and jax.py calls back into Python.
"""

from __future__ import annotations

import ctypes
import functools
import os
import shlex
import struct
from typing import Any

import jax

from . import _cache
from ._manifest import Entry, Leaf
from ._program import Compiled, Options
from ._values import DTYPES

# Numbers of XLA's element types.
TYPES = {
    "i8": 2, "i16": 3, "i32": 4, "i64": 5, "u8": 6, "u16": 7, "u32": 8, "u64": 9,
    "f16": 10, "f32": 11, "f64": 12, "bool": 1,
}  # fmt: skip
TARGET = "dagaz_call"


@functools.cache
def handler() -> ctypes.CDLL | None:
    """The handler's library, registered with XLA for the CPU; None: it cannot be built here."""
    ffi = getattr(jax, "ffi", None)
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_xla.c")
    if ffi is None or not os.path.exists(source):
        return None
    try:
        library = ctypes.CDLL(_built(source, ffi.include_dir()))
    except OSError:
        return None
    library.dagaz_xla_enter.argtypes = [
        ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int64, ctypes.c_int, ctypes.c_char_p,
        ctypes.c_int, ctypes.c_int,
    ]  # fmt: skip
    ffi.register_ffi_target(TARGET, ffi.pycapsule(library.dagaz_xla_call), platform="cpu")
    return library


def _built(source: str, include: str) -> str:
    """The path of the handler's shared object; OSError: the compiler failed."""
    import subprocess

    with open(source, encoding="utf-8") as file:
        text = file.read()
    compiler = shlex.split(os.environ.get("CC", "cc"))
    name = f"xla-{_cache.key_of(text, jax.__version__, include, *compiler)}.so"
    path = os.path.join(_cache.folder(), name)
    if not os.path.exists(path):
        fresh = f"{path}.{os.getpid()}"
        words = [*compiler, "-O2", "-shared", "-fPIC", f"-I{include}", "-o", fresh, source]
        if subprocess.run([*words, "-lpthread", "-ldl"], capture_output=True).returncode != 0:
            raise OSError("the C compiler failed")
        os.replace(fresh, path)
    return path


def entered(compiled: Compiled, entry: Entry, options: Options) -> str | None:
    """The key under which XLA calls an entry point; None: it has to be called through Python."""
    library = handler()
    if library is None or options.interpret:
        return None
    if options.threads or options.tuning or options.progress:
        return None
    key = f"{compiled.path}:{entry.name}:{options.memory_limit}"
    inputs = b"".join(_spec(leaf) for leaf in entry.leaves)
    outputs = b"".join(_spec(leaf) for leaf in entry.result.leaves)
    if key not in _entered:
        failed = library.dagaz_xla_enter(
            key.encode(), compiled.path.encode(), options.memory_limit, entry.index,
            inputs + outputs, len(entry.leaves), len(entry.result.leaves),
        )  # fmt: skip
        if failed:
            return None
        _entered.add(key)
    return key


_entered: set[str] = set()


def _spec(leaf: Leaf) -> bytes:
    return struct.pack("=iii", TYPES[leaf.elem], DTYPES[leaf.elem].itemsize, len(leaf.shape))


def call(key: str, shapes: Any, args: Any) -> Any:
    """The call of an entry point, in a computation that JAX traces."""
    ffi: Any = jax.ffi
    return ffi.ffi_call(TARGET, shapes, vmap_method="sequential")(*args, entry=key)
