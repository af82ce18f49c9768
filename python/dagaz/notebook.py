"""The cell magic ``%%dagaz``: a program in a notebook.

    %load_ext dagaz
    %%dagaz p memory_limit=2GB
    def loss [n] (w: [n]f64) = f64.sum (map (** 2) w)

makes ``p`` the program; without a name it is called ``program``.
"""

from __future__ import annotations

import sys
from typing import Any

from ._errors import CompileError, UsageError
from ._program import Program, source

FLAGS = ("trace_nan", "strict_ieee", "unsafe", "convert")


def parse(line: str) -> tuple[str, dict[str, Any]]:
    """The program's name and the options on the magic's line."""
    name, options = "program", dict[str, Any]()
    for i, word in enumerate(line.split()):
        key, equals, value = word.partition("=")
        if equals and key == "memory_limit":
            options[key] = int(value) if value.isdigit() else value
        elif not equals and key in FLAGS:
            options[key] = True
        elif i == 0 and key.isidentifier() and not equals:
            name = key
        else:
            raise UsageError(
                f"%%dagaz: {word!r} is neither a name nor one of memory_limit=.., "
                + ", ".join(FLAGS)
            )
    return name, options


def cell(line: str, text: str) -> tuple[str, Program]:
    """The program of a cell, and its name."""
    name, options = parse(line)
    return name, source(text, name=name.lstrip("_") or "program", **options)


def register(shell: Any) -> None:
    """Adds the magic to a shell of IPython."""

    def dagaz(line: str, text: str) -> Any:
        try:
            name, made = cell(line, text)
        except (CompileError, UsageError) as error:
            print(error, file=sys.stderr)
            return None
        shell.user_ns[name] = made
        return made

    shell.register_magic_function(dagaz, "cell")
