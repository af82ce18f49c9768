"""The examples of doc/python.md run, in order, in one namespace."""

import pathlib
import re

import pytest

TEXT = (pathlib.Path(__file__).resolve().parents[2] / "doc" / "python.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```", TEXT, re.M | re.S)


@pytest.fixture(scope="module")
def names():
    space = {}
    for block in BLOCKS:
        exec(compile(block, "doc/python.md", "exec"), space)
    return space


def test_examples(names):
    assert len(BLOCKS) >= 6


@pytest.mark.full
@pytest.mark.parametrize("library", ["torch", "jax"])
def test_examples_of_libraries(names, library):
    pytest.importorskip(library, reason=f"{library} is not installed", exc_type=ImportError)
    names[f"with_{library}"]()
