"""The compiler: where it is, and running it."""

from __future__ import annotations

import os
import sys

from ._errors import MissingFile


def executable() -> str:
    """The compiler's path: $DAGAZ, the one inside the package, else the one on PATH."""
    chosen = os.environ.get("DAGAZ")
    if chosen:
        return chosen
    inside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_dagaz")
    if os.access(inside, os.X_OK):
        return inside
    import shutil

    found = shutil.which("dagaz")
    if found and os.path.realpath(found) != os.path.realpath(sys.argv[0]):
        return found
    raise MissingFile(
        "dagaz: no compiler in the package, in $DAGAZ or on PATH; install the package again, or "
        "build Dagaz and set DAGAZ=/path/to/build/dagaz"
    )


def run(arguments: list[str], text: str | None = None) -> tuple[int, str, str]:
    """Runs the compiler; status, standard output, standard error."""
    import subprocess

    done = subprocess.run(
        [executable(), *arguments], input=text, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def run_binary(arguments: list[str], given: bytes) -> tuple[int, bytes, str]:
    """Runs the compiler on bytes; status, standard output, standard error."""
    import subprocess

    done = subprocess.run([executable(), *arguments], input=given, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def main() -> None:
    """The command `dagaz` of the package."""
    try:
        path = executable()
    except FileNotFoundError as error:
        sys.exit(str(error))
    os.execv(path, [path, *sys.argv[1:]])
