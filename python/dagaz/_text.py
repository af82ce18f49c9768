"""Derivatives as text, and what they cost."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass
from typing import Any

from . import _cache, _errors, _tool
from ._program import Function
from ._transform import program_function, vjp


def file_of(f: Function) -> str:
    """A file whose entry point of the function's name is the function."""
    if f._origin[0] == "entry":
        return f.program.path
    return _cache.kept_text(f.text, f.__name__)


def derive(f: Function, mode: str = "vjp") -> str:
    """The derivative of a function as source text.

    Parameters
    ----------
    f
        A function of a program, or a derivative: that is then written out.
    mode
        "vjp" or "jvp", of a function of a program.
    """
    program_function(f)
    if mode not in ("vjp", "jvp"):
        raise _errors.UsageError(f"mode: {mode!r} is neither vjp nor jvp")
    how = f"--{mode}" if f._origin[0] == "entry" else "--expand"
    return tool_text(["derive", how, "-e", f.__name__, file_of(f)])


def tool_text(arguments: list[str]) -> str:
    status, out, err = _tool.run(arguments)
    if status != 0:
        raise _errors.CompileError(err.strip(), [])
    return out


@dataclass(frozen=True)
class Explanation:
    """What the derivatives in a function cost: `rows` are those of ``dagaz explain --json``."""

    name: str
    text: str
    rows: tuple[dict[str, Any], ...]

    def __repr__(self) -> str:
        return self.text.rstrip()

    def _repr_html_(self) -> str:
        head = ("derivative", "work", "its value alone", "for large sizes", "tapes in bytes")
        out = ["<table><tr>", *(f"<th>{h}</th>" for h in head), "</tr>"]
        for row in self.rows:
            factor = f"{row['factor']:.2f} times" if row["factor"] else "depends on values"
            cells = (row["mode"], row["work"], row["value_work"], factor, row["tape_bytes"])
            out += ["<tr>", *(f"<td>{html.escape(str(c))}</td>" for c in cells), "</tr>"]
            for note in row["notes"]:
                said = html.escape(f"{note.get('kind', '')}: {note.get('text', note)}")
                out.append(f"<tr><td></td><td colspan=4>{said}</td></tr>")
        return "".join([*out, "</table>"])

    def plot(self, ax: Any = None) -> Any:
        """Work of each derivative beside that of its value; the axes."""
        from . import plot

        return plot.cost(self, ax)


def explain(f: Function) -> Explanation:
    """What a derivative costs, keeps and computes again.

    Parameters
    ----------
    f
        A derivative, or a function of a program: then its derivative in reverse mode.
    """
    program_function(f)
    of = vjp(f) if f._origin[0] == "entry" else f
    arguments = ["explain", "-w", "-e", of.__name__, file_of(of)]
    rows = tool_text([*arguments[:1], "--json", *arguments[1:]])
    read = tuple(json.loads(line) for line in rows.splitlines() if line.startswith("{"))
    return Explanation(of.__name__, tool_text(arguments), read)
