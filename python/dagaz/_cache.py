"""Compiled programs: the compiler makes them and keeps them; here is which file is current.

The compiler's own cache goes by the C text, which takes a run of the compiler to know.  This level
goes by the program's files as they were (path, size, time) and the compiler's, so that a program
that has not changed is loaded without starting a process.
"""

from __future__ import annotations

import json
import os
import time
from typing import Any

from . import _errors, _tool


def folder() -> str:
    """The folder of the cache, the compiler's own; made on first use."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    path = os.path.join(home, "dagaz", "python")
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
    except OSError:
        path = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"dagaz-{os.getuid()}", "python")
        os.makedirs(path, mode=0o700, exist_ok=True)
    return path


def stamp(path: str) -> list[Any]:
    """What tells that a file is the one it was."""
    try:
        facts = os.stat(path)
    except OSError:
        return [path, -1, 0]
    return [path, facts.st_size, facts.st_mtime_ns]


def key_of(*parts: str) -> str:
    """A short name for texts."""
    try:  # hashlib loads OpenSSL, which takes longer than all else of a cached load
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b

    whole = "\0".join(parts).encode()
    return blake2b(whole, digest_size=10).hexdigest()


def kept_text(text: str, name: str) -> str:
    """A file with this text in the cache, for programs that are no files; its path."""
    place = os.path.join(folder(), "source-" + key_of(text, name))
    path = os.path.join(place, name + ".fut")
    if not os.path.exists(path):
        os.makedirs(place, mode=0o700, exist_ok=True)
        fresh = f"{path}.{os.getpid()}"
        with open(fresh, "w", encoding="utf-8") as out:
            out.write(text)
        os.replace(fresh, path)
    return path


def compiled(path: str, text: str | None, command: tuple[str, ...]) -> str:
    """The shared object of a program: of the file, or of the text under the file's name.

    command: of the compiler, with options.
    """
    tool = stamp(_tool.executable())
    environment = [os.environ.get(v, "") for v in ("CC", "CFLAGS")]
    key = key_of(path, text or "", *command, *map(str, tool), *environment)
    note = os.path.join(folder(), f"note-{key}")
    known = note_read(note)
    if known:
        _errors.compiler_said(0, known[1], of_derivative=text is not None)
        return known[0]
    begun = time.time_ns()
    arguments = [*command, "--shared", "--cache", "--error-format=json"]
    arguments += ["-", "--name", path] if text is not None else [path]
    status, out, err = _tool.run(arguments, text)
    _errors.compiler_said(status, err, of_derivative=text is not None)
    result = json.loads(out.splitlines()[-1])
    sources = [s for s in result["sources"] if text is None or s != path]
    if result["kept"]:
        note_write(note, result["object"], err, sources, begun)
    return str(result["object"])


def note_read(note: str) -> tuple[str, str] | None:
    """The object that a note names and the compiler's messages, if all files are as they were."""
    try:
        with open(note, encoding="utf-8") as file:
            said = json.load(file)
        if all(stamp(f[0]) == f for f in said["files"]):
            return str(said["files"][0][0]), str(said["messages"])
    except (OSError, ValueError, KeyError, IndexError, TypeError):
        pass
    return None


def note_write(note: str, object_path: str, messages: str, sources: list[str], begun: int) -> None:
    """Notes the object of the sources, unless one changed since the compiler began."""
    files = [stamp(object_path)] + [stamp(os.path.abspath(s)) for s in sources]
    if any(f[2] >= begun for f in files[1:]):
        return
    fresh = f"{note}.{os.getpid()}"
    try:
        with open(fresh, "w", encoding="utf-8") as out:
            json.dump({"files": files, "messages": messages}, out)
        os.replace(fresh, note)
    except OSError:
        pass
