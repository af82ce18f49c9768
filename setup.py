"""Builds the compiler with make and puts it into the package; pyproject.toml has the rest."""

import os
import shutil
import subprocess
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

ROOT = Path(__file__).parent.resolve()


class Build(build_py):
    """The compiler beside the modules."""

    def run(self):
        # Other compilers' warnings are no errors here; -O1 takes 40 % off the time of an install
        # and leaves the compiler at most a tenth slower.
        make = ["make", "-C", str(ROOT), f"-j{os.cpu_count() or 1}", "WARN=", "EXTRA=-O1 -g0"]
        subprocess.run([*make, "build/dagaz"], check=True)
        super().run()
        base = ROOT / "python" if self.editable_mode else Path(self.build_lib)
        out = base / "dagaz" / "_dagaz"
        shutil.copy2(ROOT / "build" / "dagaz", out)
        if not self.editable_mode and shutil.which("strip"):
            subprocess.run(["strip", str(out)], check=False)


class Wheel(bdist_wheel):
    """One wheel for all later Pythons of a platform."""

    def get_tag(self):
        return "cp311", "abi3", super().get_tag()[2]


class Binary(Distribution):
    """Not pure, also without the extension."""

    def has_ext_modules(self):
        return True


# setuptools and make both use build/ for themselves.
setup(
    options={"build": {"build_base": "build-python"}},
    cmdclass={"build_py": Build, "bdist_wheel": Wheel},
    distclass=Binary,
    ext_modules=[
        Extension(
            "dagaz._call",
            ["python/dagaz/_call.c"],
            extra_compile_args=["-O2"],
            py_limited_api=True,
            optional=True,
        )
    ],
)
