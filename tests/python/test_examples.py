"""The examples run, as scripts."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"
NEEDS = {
    "logistic_regression": ["scipy"],
    "bundle_adjustment": ["scipy"],
    "torch_layer": ["torch"],
    "hmc_jax": ["jax"],
    "data_parallel": ["jax"],
}


@pytest.mark.full
@pytest.mark.parametrize("name", sorted(p.stem for p in ROOT.glob("*.py")))
def test_example(name, tmp_path):
    for module in NEEDS.get(name, []):
        pytest.importorskip(module, reason=f"{module} is not installed", exc_type=ImportError)
    done = subprocess.run(
        [sys.executable, str(ROOT / f"{name}.py")],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_there_are_eight():
    assert len(list(ROOT.glob("*.py"))) == 8


def test_first_gradient_in_ten_lines(tmp_path):
    """A gradient of a function of one's own on a table of one's own."""
    program = pathlib.Path(__file__).with_name("first_gradient.py")
    assert sum(1 for line in program.read_text().splitlines() if line.strip()) <= 10
    (tmp_path / "data.csv").write_text("x,y\n0,1\n1,3\n2,5\n")
    command = [sys.executable, str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.split() == ["5.0", "-10.0", "-6.0"]
