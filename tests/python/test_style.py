"""Types and style: mypy --strict, ruff."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.full
@pytest.mark.parametrize(
    "command",
    [
        ["mypy", "--config-file", "pyproject.toml"],
        ["ruff", "check", "python", "tests/python", "examples/python", "bench/python", "setup.py"],
        ["ruff", "format", "--check", "python", "tests/python", "examples/python", "bench/python"],
    ],
    ids=["mypy", "ruff", "format"],
)
def test_clean(command):
    pytest.importorskip(command[0], reason=f"{command[0]} is not installed")
    done = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
