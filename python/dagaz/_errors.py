"""Exceptions, and how failures of the compiler and of programs become one."""

from __future__ import annotations

import json
import re
import warnings
from dataclasses import dataclass


class DagazError(Exception):
    """Anything that goes wrong in this package."""


class UsageError(DagazError, ValueError):
    """A wrong argument: the message names the parameter."""


class ArgumentError(UsageError, TypeError):
    """An argument of the wrong type, shape or layout."""


class MissingFile(UsageError, FileNotFoundError):
    """There is no such file: a program, or the compiler."""


class ProgramError(DagazError, RuntimeError):
    """The program failed: an index out of bounds, an assertion, a division by zero.

    Attributes
    ----------
    where : list of (str, str)
        File and place ("4:47-52") of each call, the innermost first.
    """

    def __init__(self, message: str, where: list[tuple[str, str]]) -> None:
        super().__init__(message)
        self.where = where


class MemoryLimitError(DagazError, MemoryError):
    """The program wanted more memory than its limit, or than there is."""


@dataclass(frozen=True)
class Diagnostic:
    """One message of the compiler; lines and columns count from 1."""

    severity: str
    code: str
    message: str
    file: str
    line: int
    column: int
    notes: tuple[str, ...] = ()
    suggestion: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        head = f"{place}{self.severity}: {self.message}"
        tail = [f"  {note}" for note in self.notes]
        if self.suggestion:
            tail.append(f"  hint: {self.suggestion}")
        return "\n".join([head + excerpt(self.file, self.line, self.column), *tail])


class CompileError(DagazError):
    """The compiler rejected the program; `diagnostics` has its messages."""

    def __init__(self, message: str, diagnostics: list[Diagnostic]) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics


class NoCompiler(CompileError):
    """There is no C compiler; programs can still be interpreted."""


class InterpretedWarning(UserWarning):
    """Programs are interpreted, since there is no C compiler."""


class GradientWarning(UserWarning):
    """A derivative that is zero where one would not expect it: a severed gradient."""


class CompilerWarning(UserWarning):
    """Any other warning of the compiler."""


def excerpt(file: str, line: int, column: int) -> str:
    try:
        with open(file, encoding="utf-8", errors="replace") as lines:
            text = lines.read().split("\n")[line - 1]
    except (OSError, IndexError):
        return ""
    mark = " " * max(0, column - 1) + "^"
    return f"\n  {line:>4} | {text}\n       | {mark}"


def diagnostics_read(text: str) -> tuple[list[Diagnostic], str]:
    """The messages on the compiler's standard error, and the lines that are none."""
    found: list[Diagnostic] = []
    rest: list[str] = []
    for line in text.splitlines():
        try:
            found.append(diagnostic_of(json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError):
            rest.append(line)
    return found, "\n".join(rest).strip()


def diagnostic_of(item: dict[str, object]) -> Diagnostic:
    span = item.get("range")
    start = span.get("start", {}) if isinstance(span, dict) else {}
    notes = item.get("notes") or []
    texts = [n.get("message", "") if isinstance(n, dict) else str(n) for n in _list(notes)]
    hint = item.get("suggestion")
    text = hint.get("message", "") if isinstance(hint, dict) else hint
    return Diagnostic(
        severity=str(item["severity"]),
        code=str(item.get("code") or ""),
        message=str(item["message"]),
        file=str(item.get("file") or ""),
        line=int(start.get("line", 0)),
        column=int(start.get("column", 0)),
        notes=tuple(texts),
        suggestion=str(text or ""),
    )


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def compiler_said(status: int, stderr: str, of_derivative: bool) -> None:
    """Warns of what the compiler warned of; raises CompileError where it failed.

    Of a derivative's program only warnings of its gradient are new.
    """
    found, rest = diagnostics_read(stderr)
    errors = [d for d in found if d.severity == "error"]
    if status != 0:
        text = "\n".join(str(d) for d in errors) or rest or f"dagaz ended with status {status}"
        raise (NoCompiler if no_compiler(status, rest, errors) else CompileError)(text, errors)
    for d in found:
        severed = "grad" in d.code or "sever" in d.code
        if of_derivative and not severed:
            continue
        kind = GradientWarning if severed else CompilerWarning
        warnings.warn(str(d), kind, stacklevel=5)


def no_compiler(status: int, rest: str, errors: list[Diagnostic]) -> bool:
    """Whether the compiler failed because it finds no C compiler to run."""
    said = re.search(r"^dagaz: (no C compiler found|cannot run the C compiler)", rest, re.M)
    return status == 1 and not errors and said is not None


def call_error(code: int, text: str) -> BaseException:
    """The exception for the result of a call (rts/leaf.h)."""
    message, _, trace = text.partition("Backtrace:")
    message = message.strip().removeprefix("Error: ")
    where = re.findall(r"#\d+\s+(.*?):(\d+:\d+\S*)", trace)
    if where:
        message += f" ({where[0][0]}:{where[0][1]})"
    if code == 3 or "the memory limit leaves" in message:
        return MemoryLimitError(message)
    if code == 4:
        return KeyboardInterrupt()
    return ProgramError(message, where) if code == 2 else UsageError(message)
