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
