"""Python values to leaves and back.

Leaves that are right already go straight to the call; here are the rest: what has to be copied or
converted, and what is refused, by the parameter's name.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ._errors import ArgumentError
from ._manifest import PRIMS, Leaf, Param, Type, size_value

DTYPES = {p: np.dtype("?" if p == "bool" else f"{p[0]}{int(p[1:]) // 8}") for p in PRIMS}


class Record(tuple[Any, ...]):
    """A record: a tuple whose parts have names, as attributes."""

    _fields: tuple[str, ...]

    def __new__(cls, fields: Sequence[str], values: Sequence[Any]) -> Record:
        made = super().__new__(cls, values)
        made._fields = tuple(fields)
        return made

    def __getattr__(self, name: str) -> Any:
        if name != "_fields" and name in self._fields:
            return self[self._fields.index(name)]
        raise AttributeError(name)

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def __repr__(self) -> str:
        return "Record(" + ", ".join(f"{k}={v!r}" for k, v in self._asdict().items()) + ")"

    def __reduce__(self) -> tuple[Any, ...]:
        return Record, (self._fields, tuple(self))


class Opaque:
    """A value whose parts Python does not show, such as an array of sums; it can be pickled."""

    __slots__ = ("leaves", "type")

    def __init__(self, type: str, leaves: tuple[Any, ...]) -> None:
        self.type = type
        self.leaves = leaves

    def __repr__(self) -> str:
        return f"<dagaz {self.type}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Opaque, (self.type, self.leaves)


# ---- to leaves --------------------------------------------------------------------------------
def has_rows(t: Type) -> bool:
    """Whether an array of it can be shown as arrays of its fields."""
    if t.kind == "rows":
        return has_rows(t.parts[0])
    return t.is_leaf or (
        t.kind in ("record", "tuple") and bool(t.parts) and all(map(has_rows, t.parts))
    )


def flatten(value: Any, t: Type, leaves: Sequence[Leaf], path: str) -> Iterator[tuple[Any, str]]:
    """The leaves of a value, each with its path."""
    if t.is_leaf:
        yield value, path
    elif t.kind == "none":
        return
    elif isinstance(value, Opaque):
        yield from opaque_leaves(value, t, path)
    elif t.kind == "sum":
        yield from sum_leaves(value, t, leaves, path)
    elif t.kind == "rows":
        if not has_rows(t):
            raise ArgumentError(f"{path}: expected a value of type {t.name} that Dagaz made")
        yield from flatten(value, t.parts[0], leaves, path)
    else:
        known_fields(value, t, path)
        at = 0
        for name, part in zip(t.fields, t.parts, strict=True):
            own = leaves[at : at + part.leaves]
            yield from flatten(part_of(value, t, name, path), part, own, f"{path}.{name}")
            at += part.leaves


def known_fields(value: Any, t: Type, path: str) -> None:
    """A dict has the fields of its record, and no others."""
    if t.kind != "record" or not isinstance(value, dict):
        return
    for name in value:
        if name not in t.fields:
            raise ArgumentError(f"{path}: no field {name!r:.40}; it has {', '.join(t.fields)}")


def opaque_leaves(value: Opaque, t: Type, path: str) -> Iterator[tuple[Any, str]]:
    if value.type != t.name or len(value.leaves) != t.leaves:
        raise ArgumentError(f"{path}: expected {t.name}, got a value of type {value.type}")
    for i, leaf in enumerate(value.leaves):
        yield leaf, f"{path}.{i}"


def part_of(value: Any, t: Type, name: str, path: str) -> Any:
    """A field of whatever can be a record or tuple; the value's own methods may raise."""
    try:
        return part_read(value, t, name, path)
    except (ArgumentError, MemoryError):
        raise
    except Exception as error:
        raise unreadable(value, f"{path}.{name}", error) from error


def part_read(value: Any, t: Type, name: str, path: str) -> Any:
    if t.kind == "tuple":
        if not isinstance(value, (tuple, list)) or len(value) != len(t.parts):
            got = f"{len(value)} of them" if isinstance(value, (tuple, list)) else shown(value)
            raise ArgumentError(f"{path}: expected a tuple of {len(t.parts)} values, got {got}")
        return value[int(name)]
    if isinstance(value, Mapping) or getattr(getattr(value, "dtype", None), "names", None):
        try:
            return value[name]
        except (KeyError, ValueError):
            raise ArgumentError(f"{path}: the field {name} is missing") from None
    try:
        return getattr(value, name)
    except AttributeError:
        wanted = ", ".join(t.fields)
        raise ArgumentError(
            f"{path}: expected a dict or object with {wanted}, got {shown(value)}"
        ) from None


def sum_leaves(value: Any, t: Type, leaves: Sequence[Leaf], path: str) -> Iterator[tuple[Any, str]]:
    """(name, payload..): what other variants have is zero or empty."""
    parts = (value,) if isinstance(value, str) else value
    if not isinstance(parts, (tuple, list)) or not parts or str(parts[0]) not in t.fields:
        names = ", ".join(t.fields)
        raise ArgumentError(
            f"{path}: expected (name, payload..), name one of {names}, got {shown(value)}"
        )
    variant = t.fields.index(str(parts[0]))
    payload = t.payloads[variant]
    if len(parts) != 1 + len(payload):
        has = counted(len(payload), "value")
        raise ArgumentError(f"{path}: {parts[0]} has {has}, not {len(parts) - 1}")
    out: list[tuple[Any, str]] = [(variant, path)]
    for leaf in leaves[1:]:
        zero = np.zeros((0,) * len(leaf.shape), DTYPES[leaf.elem])
        out.append((zero if leaf.shape else zero_of(leaf.elem), path))
    at = iter(t.slots[variant])
    for i, (part, own) in enumerate(zip(parts[1:], payload, strict=True)):
        slots = [next(at) for _ in range(own.leaves)]
        own_leaves = [leaves[k] for k in slots]
        for k, made in zip(slots, flatten(part, own, own_leaves, f"{path}.{i}"), strict=True):
            out[k] = made
    yield from out


def zero_of(elem: str) -> Any:
    return False if elem == "bool" else 0.0 if elem[0] == "f" else 0


# ---- one leaf -----------------------------------------------------------------------------------
def shown(value: Any) -> str:
    """What a value is, in a few words; the value's own methods may raise."""
    name = type(value).__name__
    try:
        shape = getattr(value, "shape", None)
        dtype = getattr(value, "dtype", None)
        if shape is not None and dtype is not None:
            return f"{name} of {dtype} with shape {tuple(shape)}"
        text = repr(value)
    except Exception:
        return name
    return f"{name} {text if len(text) < 40 else text[:37] + '...'}"


def number_shown(value: Any) -> str:
    """A number in a message; Python refuses to write integers of thousands of digits."""
    if isinstance(value, int) and abs(value) >= 10**40:
        return f"an integer of about {math.ceil(value.bit_length() * math.log10(2))} digits"
    return str(value)


def counted(n: int, what: str) -> str:
    """1 argument, 2 arguments."""
    return f"{n} {what}{'' if n == 1 else 's'}"


def scalar(value: Any, leaf: Leaf, path: str) -> Any:
    """A number as _call wants it: Python's own."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    elif hasattr(value, "__dlpack__") and getattr(value, "shape", None) == ():
        value = as_array(value, leaf, path)[()]
    if leaf.elem == "bool":
        if isinstance(value, (bool, np.bool_)):
            return bool(value)
    elif leaf.is_float:
        if is_float_for(value, leaf):
            if not fits_float(value, DTYPES[leaf.elem]):
                raise ArgumentError(f"{path}: {number_shown(value)} does not fit {leaf.elem}")
            return np.float16(value).tobytes() if leaf.elem == "f16" else float(value)
    elif not isinstance(value, (float, np.floating)):
        number = index_of(value)
        if number is not None:
            return integer(number, leaf, path)
    raise ArgumentError(f"{path}: expected {leaf.elem}, got {shown(value)}")


def index_of(value: Any) -> int | None:
    try:
        return operator.index(value)
    except TypeError:
        return None


def unreadable(value: Any, path: str, error: Exception) -> ArgumentError:
    """A method of the value raised."""
    text = str(error) or type(error).__name__
    return ArgumentError(f"{path}: cannot read {shown(value)}: {text}")


def is_float_for(value: Any, leaf: Leaf) -> bool:
    if isinstance(value, (bool, np.bool_)):
        return False
    if isinstance(value, (int, float, np.integer)):
        return True
    return isinstance(value, np.floating) and value.itemsize <= DTYPES[leaf.elem].itemsize


def fits_float(value: Any, dtype: np.dtype[Any]) -> bool:
    """Whether a number is finite in this type, if it is finite."""
    try:
        wide = float(value)
    except OverflowError:
        return False
    with np.errstate(over="ignore"):
        return bool(np.isfinite(dtype.type(wide)) or not np.isfinite(wide))


def integer(value: int, leaf: Leaf, path: str) -> int:
    limits = np.iinfo(DTYPES[leaf.elem])
    if not limits.min <= value <= limits.max:
        raise ArgumentError(f"{path}: {number_shown(value)} does not fit {leaf.elem}")
    return value


def as_array(value: Any, leaf: Leaf, path: str) -> np.ndarray[Any, Any]:
    """The value as NumPy sees it."""
    if hasattr(value, "mask") and np.ma.is_masked(value):
        raise ArgumentError(f"{path}: elements are masked; pass {path}.filled(..)")
    if isinstance(value, np.ndarray):
        return np.asarray(value)
    try:
        if hasattr(value, "__dlpack__") and not hasattr(value, "__array_interface__"):
            device = getattr(value, "__dlpack_device__", None)
            if device is not None and device()[0] not in (1, 3):
                raise ArgumentError(f"{path}: expected an array on the CPU, got {shown(value)}")
            return np.from_dlpack(value)
        made = np.asarray(value)
    except ArgumentError:
        raise
    except Exception as error:
        text = str(error) or type(error).__name__
        raise ArgumentError(f"{path}: cannot read {shown(value)} as an array: {text}") from error
    wanted = DTYPES[leaf.elem]
    literal = isinstance(value, (list, tuple, range))
    if literal and (made.size == 0 or literal_fits(made, wanted)):
        made = made.astype(wanted)
    return made


def literal_fits(made: np.ndarray[Any, Any], wanted: np.dtype[Any]) -> bool:
    """Whether numbers written as a list may have this type."""
    if wanted.kind == "f":
        with np.errstate(over="ignore"):
            narrow = made.astype(wanted) if made.dtype.kind in "fiu" else None
        return narrow is not None and bool((np.isfinite(narrow) | ~np.isfinite(made)).all())
    if wanted.kind in "iu" and made.dtype.kind in "iu":
        limits = np.iinfo(wanted)
        return bool(limits.min <= made.min() and made.max() <= limits.max)
    return False


def array(value: Any, leaf: Leaf, path: str, convert: bool) -> np.ndarray[Any, Any]:
    """An array as _call wants it: of the type, row-major, aligned, in native byte order."""
    found = as_array(value, leaf, path)
    wanted = DTYPES[leaf.elem]
    if found.ndim != len(leaf.shape):
        raise ArgumentError(
            f"{path}: expected {leaf} ({counted(len(leaf.shape), 'dimension')}), "
            f"got {shown(value if found.dtype.kind == 'O' or not found.ndim else found)}"
        )
    if found.dtype.newbyteorder("=") != wanted:
        if not (convert and found.dtype.kind in "fiub"):
            do = advice(value, found, leaf, path)
            raise ArgumentError(f"{path}: expected {wanted} ({leaf}), got {found.dtype}{do}")
        found = found.astype(wanted)
    return np.require(found, dtype=wanted, requirements=["C", "A"])


def advice(value: Any, found: np.ndarray[Any, Any], leaf: Leaf, path: str) -> str:
    """How to make the array one of this type, where it has numbers; the first number of a list that
    does not fit."""
    if found.dtype.kind not in "fiub":
        return ""
    wanted = DTYPES[leaf.elem]
    if isinstance(value, np.ndarray):
        return f"; pass {path}.astype(np.{wanted}), or load with convert=True"
    if not isinstance(value, (list, tuple, range)):
        return f"; pass np.asarray({path}, np.{wanted}), or load with convert=True"
    whole = wanted.kind in "iu" and found.dtype.kind == "f"
    for v in found.ravel():
        if v % 1 != 0 if whole else not literal_fits(np.asarray(v), wanted):
            return f"; {v} is no {leaf.elem}"
    return f"; write whole numbers without a point, {int(found.ravel()[0])}" if whole else ""


# ---- all leaves of a call -----------------------------------------------------------------------
def prepare(values: Sequence[tuple[Any, str]], leaves: Sequence[Leaf], convert: bool) -> list[Any]:
    """The leaves as _call wants them, their sizes checked; raises ArgumentError."""
    out = []
    for (value, path), leaf in zip(values, leaves, strict=True):
        try:
            made = array(value, leaf, path, convert) if leaf.shape else scalar(value, leaf, path)
        except (ArgumentError, MemoryError):
            raise
        except Exception as error:
            raise unreadable(value, path, error) from error
        out.append(made)
    check_sizes(out, values, leaves)
    return out


def check_sizes(
    out: Sequence[Any], values: Sequence[tuple[Any, str]], leaves: Sequence[Leaf]
) -> None:
    known: dict[str, tuple[int, str]] = {}
    for made, (_, path), leaf in zip(out, values, leaves, strict=True):
        if not leaf.shape and leaf.elem == "i64":
            known.setdefault(path, (made, path))
        for d, dim in enumerate(leaf.shape):
            if isinstance(dim, str) and dim.isidentifier():
                known.setdefault(dim, (made.shape[d], path))
    sizes = {name: size for name, (size, _) in known.items()}
    for made, (_, path), leaf in zip(out, values, leaves, strict=True):
        wanted = [size_value(dim, sizes) for dim in leaf.shape]
        if all(w in (None, s) for w, s in zip(wanted, np.shape(made), strict=False)):
            continue
        bad = next(d for d, w in enumerate(wanted) if w not in (None, made.shape[d]))
        dim = leaf.shape[bad]
        why = f" ({dim} = {known[dim][0]} from {known[dim][1]})" if isinstance(dim, str) else ""
        raise ArgumentError(f"{path}: expected {brackets(wanted)}{why}, got {brackets(made.shape)}")


def brackets(shape: Sequence[Any]) -> str:
    return "".join(f"[{'' if s is None else s}]" for s in shape)


# ---- from leaves --------------------------------------------------------------------------------
def build(t: Type, leaves: Iterator[Any]) -> Any:
    """The value of these leaves."""
    if t.is_leaf:
        return next(leaves)
    if t.kind == "none":
        return None
    if t.kind == "rows" and has_rows(t):
        return build_rows(t.parts[0], leaves)
    if t.kind == "rows":
        return Opaque(t.name, tuple(next(leaves) for _ in range(t.leaves)))
    if t.kind == "sum":
        return build_sum(t, [next(leaves) for _ in range(t.leaves)])
    parts = [build(part, leaves) for part in t.parts]
    return tuple(parts) if t.kind == "tuple" else Record(t.fields, parts)


def build_rows(t: Type, leaves: Iterator[Any]) -> Any:
    """An array of records as a dict of arrays, of tuples as a tuple of arrays."""
    if t.kind == "rows":
        return build_rows(t.parts[0], leaves)
    if t.is_leaf:
        return next(leaves)
    parts = [build_rows(part, leaves) for part in t.parts]
    return tuple(parts) if t.kind == "tuple" else dict(zip(t.fields, parts, strict=True))


def build_sum(t: Type, leaves: list[Any]) -> Any:
    variant = int(leaves[0])
    own = iter([leaves[k] for k in t.slots[variant]])
    return (t.fields[variant], *(build(part, own) for part in t.payloads[variant]))


def is_plain(params: Sequence[Param]) -> bool:
    """Whether arguments are leaves as they stand."""
    return all(p.type.is_leaf for p in params)
