"""Packages for the original compiler keep working: futhark-data, futhark-server, futhark-ffi."""

import importlib
import os
import subprocess
import sys

import numpy as np
import pytest

pytestmark = pytest.mark.full
TEXT = """
type point = {x: f64, y: f64}
entry scaled [n] (xs: [n]f64) (k: i32) = map (* f64.i32 k) xs
entry main [n] (xs: [n]f64) = f64.sum xs
entry norm (p: point) = f64.sqrt (p.x * p.x + p.y * p.y)
entry made (x: f64) (y: f64) : point = {x, y}
entry bad [n] (xs: [n]f64) = xs[n]
"""


def module(name):
    return pytest.importorskip(name, reason=f"{name} is not installed")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "peers.fut"
    path.write_text(TEXT)
    return path


def dagaz_run(*args, **options):
    return subprocess.run([os.environ["DAGAZ"], *map(str, args)], check=True, **options)


def test_futhark_data(file):
    data = module("futhark_data")
    xs = np.arange(5.0)
    given = data.dumpb(xs)
    said = dagaz_run("run", "-b", file, input=given, stdout=subprocess.PIPE).stdout
    (total,) = list(data.loadb(said))
    assert total == 10.0


def test_futhark_server(file, tmp_path):
    server = module("futhark_server")
    dagaz_run("c", "--server", file, "-o", tmp_path / "peers")
    with server.Server(str(tmp_path / "peers")) as s:
        s.put_value("xs", np.arange(4.0))
        s.put_value("k", np.int32(3))
        s.cmd_call("scaled", "out", "xs", "k")
        assert s.get_value("out").tolist() == [0, 3, 6, 9]
        with pytest.raises(server.Failure):
            s.cmd_call("bad", "none", "xs")
        s.put_value("a", np.float64(3))
        s.put_value("b", np.float64(4))
        s.cmd_call("made", "p", "a", "b")
        s.cmd_call("norm", "r", "p")
        assert s.get_value("r") == 5


def test_futhark_ffi(file, tmp_path, monkeypatch):
    ffi = module("futhark_ffi")
    module("cffi")
    dagaz_run("c", "--library", file, "-o", tmp_path / "peers")
    built = subprocess.run(
        [os.path.join(os.path.dirname(sys.executable), "build_futhark_ffi"), "peers"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    monkeypatch.syspath_prepend(str(tmp_path))
    lib = ffi.Futhark(importlib.import_module("_peers"))
    xs = np.arange(4.0)
    assert lib.main(xs) == 6
    assert lib.from_futhark(lib.scaled(xs, 2)).tolist() == [0, 2, 4, 6]
    assert lib.norm(lib.made(3.0, 4.0)) == 5
    with pytest.raises(Exception, match="out of bounds"):
        lib.bad(xs)
