"""Arrays of every type, rank and layout, from NumPy through `dagaz convert` and back."""
import pathlib
import subprocess
import sys
import zipfile

import numpy as np

DAGAZ = sys.argv[1]
TYPES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "?"]
SHAPES = [(), (1,), (5,), (0,), (3, 1), (2, 3), (0, 4), (2, 3, 4), (2, 1, 2, 3)]
passed = failed = 0


def expect(ok, what):
    global passed, failed
    passed += ok
    failed += not ok
    if not ok:
        print("FAILED", what)


def convert(*words):
    return subprocess.run([DAGAZ, "convert", *words], capture_output=True, text=True)


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b)


def layouts(a):
    yield "C", a
    yield "Fortran", np.asfortranarray(a)
    if a.dtype.itemsize > 1:
        yield "big-endian", a.astype(a.dtype.newbyteorder(">"))


def there_and_back(a, what):
    np.save("a.npy", a)
    native = a.astype(a.dtype.newbyteorder("="))
    for out in ["b.npy", "b.npz", "b.bin", "b.txt"]:
        done = convert("a.npy", out)
        if out[-1] in "nt":
            done = convert(out, "b.npy")
        got = np.load("b.npz")["arr_0"] if out == "b.npz" else np.load("b.npy")
        expect(done.returncode == 0 and same(got, native), f"{what} {out} {done.stderr}")


random = np.random.default_rng(1)
for code in TYPES:
    for shape in SHAPES:
        a = (random.standard_normal(shape) * 50).astype(code) if code[0] != "u" else \
            (random.random(shape) * 200).astype(code)
        for name, laid in layouts(np.asarray(a)):
            if a.ndim < 3 or name != "C":
                there_and_back(laid, f"{code} {shape} {name}")

names = {"w": random.random((3, 2)), "b": np.float32(2.5), "k": np.arange(4)}
for save in [np.savez, np.savez_compressed]:
    save("n.npz", **names)
    convert("n.npz", "m.npz")
    expect(all(same(np.load("m.npz")[n], np.asarray(v)) for n, v in names.items()), save.__name__)

# The end that an archive of more than 4 GB has, here with a few bytes.
zipfile.ZIP_FILECOUNT_LIMIT = 1
np.savez("wide.npz", **names)
wide = bytearray(pathlib.Path("wide.npz").read_bytes())
expect(wide[-22 - 20 :][:4] == b"PK\x06\x07", "zipfile writes a ZIP64 end")
wide[-14:-10] = wide[-6:-2] = b"\xff" * 4
pathlib.Path("wide.npz").write_bytes(wide)
convert("wide.npz", "m.npz")
expect(all(same(np.load("m.npz")[n], np.asarray(v)) for n, v in names.items()), "ZIP64 end")

matrix = random.random((4, 3))
for delimiter in [",", ";", "\t", " "]:
    np.savetxt("m.csv", matrix, delimiter=delimiter, fmt="%.17g", header="x y z")
    convert("m.csv", "m.npy")
    expect(same(np.load("m.npy"), matrix), f"savetxt {delimiter!r}")
convert("m.npy", "m.csv")
expect(same(np.loadtxt("m.csv", delimiter=","), matrix), "loadtxt")
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
