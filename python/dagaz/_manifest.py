"""What a program says of itself: entry points, the types of their values, the sizes of arrays.

A value is a list of leaves, scalars and arrays of scalars, left to right; a `Type` says which of
them are which part of it.
"""

from __future__ import annotations

import ast
import json
import struct
from dataclasses import dataclass, field
from typing import Any

PRIMS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool")
FLOATS = ("f16", "f32", "f64")
Dim = int | str | None


@dataclass(frozen=True)
class Leaf:
    """A scalar, or an array; sizes are numbers, names, arithmetic on names, or not known."""

    elem: str
    shape: tuple[Dim, ...]

    def __str__(self) -> str:
        return "".join(f"[{'' if d is None else d}]" for d in self.shape) + self.elem

    @property
    def is_float(self) -> bool:
        return self.elem in FLOATS


@dataclass(frozen=True)
class Type:
    """The parts of a value.  kind: leaf, record, tuple, sum, rows."""

    kind: str
    name: str
    leaves: int
    fields: tuple[str, ...] = ()
    parts: tuple[Type, ...] = ()
    slots: tuple[tuple[int, ...], ...] = ()
    payloads: tuple[tuple[Type, ...], ...] = ()
    rank: int = 0

    @property
    def is_leaf(self) -> bool:
        return self.kind == "leaf"


@dataclass(frozen=True)
class Param:
    """A parameter, or the result, with its leaves."""

    name: str
    type: Type
    leaves: tuple[Leaf, ...]
    consumed: bool = False

    def __str__(self) -> str:
        return f"{self.name}: {shown(self.type, self.leaves)}"


@dataclass(frozen=True)
class Entry:
    """An entry point."""

    name: str
    index: int
    params: tuple[Param, ...]
    result: Param
    doc: str = ""
    where: tuple[str, int] = ("", 0)

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        return tuple(leaf for p in self.params for leaf in p.leaves)


@dataclass(frozen=True)
class Other:
    """A function that is no entry point: parameters with their types as source text."""

    name: str
    params: tuple[tuple[str, str], ...]
    result: str

    def __str__(self) -> str:
        params = ", ".join(f"{name}: {text}" for name, text in self.params)
        return f"{self.name}({params}) -> {self.result}"


@dataclass
class Manifest:
    """All of it."""

    types: dict[str, Any]
    sums: dict[str, Any]
    others: dict[str, Other] = field(default_factory=dict)
    made: dict[str, Type] = field(default_factory=dict)
    entries: dict[str, Entry] = field(default_factory=dict)

    def type_of(self, name: str) -> Type:
        if name not in self.made:
            self.made[name] = self._type(name)
        return self.made[name]

    def _type(self, name: str) -> Type:
        facts = self.types.get(name)
        if facts is None or facts["kind"] == "array":
            return Type("leaf", name, 1)
        if "sum" in facts:
            return self._sum(name, facts["sum"])
        rows = facts.get("record_array") or facts.get("opaque_array")
        if rows:
            elem = self.type_of(rows["elemtype"])
            return Type("rows", name, max(1, elem.leaves), parts=(elem,), rank=rows["rank"])
        return self._record(name, facts.get("record", {"fields": []})["fields"])

    def _record(self, name: str, fields: list[dict[str, str]]) -> Type:
        names = tuple(f["name"] for f in fields)
        parts = tuple(self.type_of(f["type"]) for f in fields)
        is_tuple = names == tuple(map(str, range(len(names)))) and len(names) != 1
        kind = "tuple" if is_tuple else "record"
        return Type(kind, name, sum(p.leaves for p in parts), names, parts)

    def _sum(self, name: str, facts: dict[str, Any]) -> Type:
        own = self.sums[name]
        return Type(
            "sum",
            name,
            own["leaves"],
            fields=tuple(v["name"] for v in facts["variants"]),
            slots=tuple(tuple(s) for s in own["slots"]),
            payloads=tuple(tuple(self.type_of(t) for t in v["payload"]) for v in facts["variants"]),
        )


def leaf_of(item: dict[str, Any]) -> Leaf:
    dims = [d["expr"] if isinstance(d, dict) else d for d in item["shape"]]
    return Leaf(item["elem"], tuple(dims))


def manifest_read(text: str) -> Manifest:
    """The description inside an object."""
    said = json.loads(text)
    if said.get("dagaz", {}).get("abi") != 1:
        raise OSError("the object was made by another version of Dagaz")
    m = Manifest(said["types"], said["dagaz"]["sums"])
    for f in said.get("functions", ()):
        params = tuple((p["name"], p["text"]) for p in f["params"])
        m.others[f["name"]] = Other(f["name"], params, f["result"])
    for index, own in enumerate(said["dagaz"]["entries"]):
        public = said["entry_points"][own["name"]]
        inputs = tuple(
            Param(i["name"], m.type_of(i["type"]), tuple(map(leaf_of, o["leaves"])), i["unique"])
            for i, o in zip(public["inputs"], own["inputs"], strict=True)
        )
        leaves = tuple(map(leaf_of, own["output"]["leaves"]))
        result = Param("result", m.type_of(public["output"]["type"]), leaves)
        where = own.get("where", {"file": "", "line": 0})
        m.entries[own["name"]] = Entry(
            own["name"], index, inputs, result, own.get("doc", ""), (where["file"], where["line"])
        )
    return m


# ---- sizes ----------------------------------------------------------------------------------
def size_value(dim: Dim, sizes: dict[str, int]) -> int | None:
    """A size where those of the names are known; None where only the call will tell."""
    if dim is None or isinstance(dim, int):
        return dim
    if dim in sizes:
        return sizes[dim]
    try:
        return _arithmetic(ast.parse(dim, mode="eval").body, sizes)
    except KeyError:
        return None


def _arithmetic(node: ast.expr, sizes: dict[str, int]) -> int:
    if isinstance(node, ast.Name):
        return sizes[node.id]
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.BinOp):
        left, right = _arithmetic(node.left, sizes), _arithmetic(node.right, sizes)
        if isinstance(node.op, ast.Add):
            return left + right
        return left - right if isinstance(node.op, ast.Sub) else left * right
    raise KeyError


def specs(entry: Entry) -> tuple[bytes, bytes]:
    """Inputs and outputs as _call.c wants them (struct Spec)."""
    names: dict[str, int] = {}
    given: list[bytes] = []
    scalars = {p.name for p in entry.params if p.leaves and not p.leaves[0].shape}
    for p in entry.params:
        for leaf in p.leaves:
            own = p.name if leaf.elem == "i64" and not leaf.shape and p.type.is_leaf else None
            given.append(_spec(leaf, names, own if own in scalars else None))
    return b"".join(given), b"".join(_spec(leaf, names, None) for leaf in entry.result.leaves)


def _spec(leaf: Leaf, names: dict[str, int], own: str | None) -> bytes:
    codes = []
    for dim in leaf.shape if own is None else (own,):
        if isinstance(dim, str) and dim.isidentifier() and (dim in names or len(names) < 64):
            codes.append(-2 - names.setdefault(dim, len(names)))
        else:
            codes.append(dim if isinstance(dim, int) else -1)
    codes += [-1] * (8 - len(codes))
    return struct.pack("=ii8q", PRIMS.index(leaf.elem), len(leaf.shape), *codes)


# ---- text -----------------------------------------------------------------------------------
def shown(t: Type, leaves: tuple[Leaf, ...]) -> str:
    """A type as users read it: [n][d]f64, (f64, [n]f64), {w: [d]f64, b: f64}."""
    if t.is_leaf:
        return str(leaves[0])
    if t.kind not in ("record", "tuple"):
        return t.name
    parts = []
    at = 0
    for part in t.parts:
        parts.append(shown(part, leaves[at : at + part.leaves]))
        at += part.leaves
    if t.kind == "tuple":
        return "(" + ", ".join(parts) + ")"
    pairs = zip(t.fields, parts, strict=True)
    return "{" + ", ".join(f"{name}: {part}" for name, part in pairs) + "}"
