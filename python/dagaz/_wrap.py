"""The text of derivatives: small programs that import the user's file and call vjp or jvp.

A `Term` is a function as text.  Its parameters and results are groups: records and tuples are taken
apart, so a group is a leaf, or a value that stays whole (a sum, an array of records).  Terms are
closed under differentiation; nothing is differentiated in Python.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ._errors import UsageError
from ._manifest import Entry, Leaf, Other, Type
from ._values import has_rows

RESERVED = frozenset(
    """
    vjp vjp2 jvp jvp2 flatten flatten_3d unflatten unflatten_3d if then else let in loop for while
    do case match with import module open local entry def val include true false type assert
    """.split()
)


@dataclass(frozen=True)
class Group:
    """A parameter or result of a term.  path: where users see it, "p.w"."""

    name: str
    type: Type
    leaves: tuple[Leaf, ...]
    path: str

    @property
    def is_float(self) -> bool:
        if self.type.is_leaf:
            return self.leaves[0].is_float
        return any(leaf.is_float for leaf in self.leaves)

    @property
    def is_leaf(self) -> bool:
        return self.type.is_leaf

    def renamed(self, name: str, path: str = "") -> Group:
        return replace(self, name=name, path=path or name)


@dataclass(frozen=True)
class Term:
    """A function: parameters, the accessors of its results' groups, and an expression."""

    params: tuple[Group, ...]
    results: tuple[Group, ...]  # name: the accessor, ".0", ".w", "" for the result itself
    body: str
    needs: frozenset[str] = field(default_factory=frozenset)  # lines for the head of the program
    hidden: tuple[str, ...] = ()  # sizes that no other parameter has, before the others

    def index(self, group: Group) -> int:
        return self.params.index(group)


def groups_of(t: Type, leaves: tuple[Leaf, ...], name: str, path: str) -> list[Group]:
    """The groups of a value; name is an accessor or the beginning of a parameter's name."""
    if t.kind not in ("record", "tuple"):
        return [Group(name, t, leaves, path)]
    out: list[Group] = []
    at = 0
    for fld, part in zip(t.fields, t.parts, strict=True):
        joint = "." if name.startswith(".") or name == "" else "_"
        own = leaves[at : at + part.leaves]
        out += groups_of(part, own, f"{name}{joint}{fld}", f"{path}.{fld}" if path else fld)
        at += part.leaves
    return out


def unique(name: str, taken: set[str]) -> str:
    """The name, changed where the program has another use for it."""
    name = name.replace("'", "_")
    if name in RESERVED or name.startswith("_") or name[0].isdigit():
        name = f"x_{name.lstrip('_')}"
    fresh = name
    k = 1
    while fresh in taken:
        fresh = f"{name}_{k}"
        k += 1
    taken.add(fresh)
    return fresh


def value_text(t: Type, names: list[str]) -> str:
    """The expression that puts a value together from the names of its groups."""
    if t.kind not in ("record", "tuple"):
        return names.pop(0)
    parts = [value_text(part, names) for part in t.parts]
    if t.kind == "tuple":
        return "(" + ", ".join(parts) + ")"
    fields = (f"{f} = {part}" for f, part in zip(t.fields, parts, strict=True))
    return "{" + ", ".join(fields) + "}"


def entry_term(entry: Entry, function: str) -> Term:
    """The term of an entry point, under the name that the wrapper knows it by."""
    taken = {"dz_user"} | {
        d for leaf in entry.leaves for d in leaf.shape if isinstance(d, str) and d.isidentifier()
    }
    params: list[Group] = []
    arguments: list[str] = []
    for p in entry.params:
        shape_name = p.type.is_leaf and p.leaves[0].elem == "i64" and not p.leaves[0].shape
        if shape_name:
            taken.discard(p.name)
        own = [
            g.renamed(unique(g.name, taken), g.path)
            for g in groups_of(p.type, p.leaves, p.name or "x", p.name)
        ]
        params += own
        argument = value_text(p.type, [g.name for g in own])
        arguments.append(f"(copy {argument})" if p.consumed else argument)
    results = groups_of(entry.result.type, entry.result.leaves, "", "")
    return Term(tuple(params), tuple(results), " ".join([function, *arguments]))


# ---- programs -----------------------------------------------------------------------------------
def size_names(groups: Sequence[Group]) -> list[str]:
    out: list[str] = []
    for g in groups:
        for dim in g.leaves[0].shape if g.is_leaf else ():
            if isinstance(dim, str) and dim.isidentifier() and dim not in out:
                out.append(dim)
    return out


def param_text(g: Group) -> str:
    if not g.is_leaf or any(d is None for d in g.leaves[0].shape):
        return g.name
    return f"({g.name}: {g.leaves[0]})"


def program_text(term: Term, user: str, name: str) -> str:
    """The program whose entry point is the term."""
    scalars = {g.name for g in term.params if g.is_leaf and not g.leaves[0].shape}
    sizes = [s for s in size_names(term.params) if s not in scalars and s not in term.hidden]
    words = [f"[{s}]" for s in sizes] + [f"({h}: i64)" for h in term.hidden]
    words += [param_text(g) for g in term.params]
    head = [f'module dz_user = import "{user}"', *sorted(term.needs)]
    return "\n".join(head) + f"\nentry {' '.join([name, *words])} =\n  {term.body}\n"


def call_text(function: Other, user: str, name: str) -> str:
    """The program whose entry point is a function of the user's; types and sizes are inferred."""
    taken = {"dz_user", name}
    names = [unique(param, taken) for param, _ in function.params]
    texts = [text for _, text in function.params]
    given = [f"(copy {n})" if "*" in t else n for n, t in zip(names, texts, strict=True)]
    head = f'module dz_user = import "{user}"\nentry {name} {" ".join(names)}'
    return f"{head} =\n  dz_user.{function.name} {' '.join(given)}\n"


# ---- differentiation ----------------------------------------------------------------------------
def tuple_text(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else "(" + ", ".join(names) + ")"


def projected(term: Term) -> str:
    """The body, of its result only the groups that have derivatives."""
    floats = [r for r in term.results if r.is_float]
    names = [r.name for r in term.results]
    if len(floats) == len(names) and names == accessors(len(names), ""):
        return term.body
    return f"let r = {term.body} in {tuple_text(['r' + g.name for g in floats])}"


def lambda_text(term: Term, wrt: Sequence[Group]) -> str:
    return f"(\\{tuple_text([g.name for g in wrt])} -> {projected(term)})"


def floats_of(term: Term) -> list[Group]:
    return [r for r in term.results if r.is_float]


def accessors(n: int, of: str) -> list[str]:
    return [of] if n == 1 else [f"{of}.{i}" for i in range(n)]


def with_results(groups: Sequence[Group]) -> tuple[Group, ...]:
    """As results of a flat tuple."""
    if len(groups) == 1:
        return (groups[0].renamed("", groups[0].path),)
    return tuple(g.renamed(f".{i}", g.path) for i, g in enumerate(groups))


def taken_by(term: Term) -> set[str]:
    return {g.name for g in term.params} | set(size_names(term.params)) | {"dz_user", "r", "t"}


def gradient(term: Term, wrt: Sequence[Group], value: bool) -> Term:
    """vjp with seed 1 of a term with one floating-point number as result."""
    names = tuple_text([g.name for g in wrt])
    f = lambda_text(term, wrt)
    if not value:
        return replace(term, results=with_results(wrt), body=f"vjp {f} {names} 1")
    parts = ["v", *accessors(len(wrt), "g")]
    body = f"let (v, g) = vjp2 {f} {names} 1 in {tuple_text(parts)}"
    return replace(term, results=with_results([*floats_of(term), *wrt]), body=body)


def tangents(term: Term, wrt: Sequence[Group], value: bool) -> tuple[Term, tuple[Group, ...]]:
    """Forward mode: the term with a tangent for each of wrt, and these new parameters."""
    taken = taken_by(term)
    extra = tuple(g.renamed(unique(f"d_{g.name}", taken), f"d_{g.path}") for g in wrt)
    f = lambda_text(term, wrt)
    at, along = tuple_text([g.name for g in wrt]), tuple_text([g.name for g in extra])
    floats = floats_of(term)
    params = (*term.params, *extra)
    tangent = accessors(len(floats), "t")
    if not value:
        body = f"jvp {f} {at} {along}"
        return replace(term, params=params, results=with_results(floats), body=body), extra
    if len(floats) == len(term.results):
        plain = accessors(len(floats), "r")
        body = f"let (r, t) = jvp2 {f} {at} {along} in {tuple_text([*plain, *tangent])}"
    else:
        plain = ["r" + g.name for g in term.results]
        body = f"let r = {term.body} let t = jvp {f} {at} {along}"
        body += f" in {tuple_text([*plain, *tangent])}"
    results = with_results([*term.results, *floats])
    return replace(term, params=params, results=results, body=body), extra


def cotangents(term: Term, wrt: Sequence[Group], value: bool) -> tuple[Term, tuple[Group, ...]]:
    """Reverse mode: the term with a seed for each floating-point result."""
    taken = taken_by(term)
    floats = floats_of(term)
    extra = tuple(
        g.renamed(unique(f"seed{g.name.replace('.', '_')}", taken), f"seed{g.name}") for g in floats
    )
    f = lambda_text(term, wrt)
    at, seed = tuple_text([g.name for g in wrt]), tuple_text([g.name for g in extra])
    params = (*term.params, *extra)
    gradients = accessors(len(wrt), "g")
    if not value:
        body = f"vjp {f} {at} {seed}"
        return replace(term, params=params, results=with_results(wrt), body=body), extra
    if len(floats) == len(term.results):
        plain = accessors(len(floats), "r")
        body = f"let (r, g) = vjp2 {f} {at} {seed} in {tuple_text([*plain, *gradients])}"
    else:
        plain = ["r" + g.name for g in term.results]
        body = f"let r = {term.body} let g = vjp {f} {at} {seed}"
        body += f" in {tuple_text([*plain, *gradients])}"
    results = with_results([*term.results, *wrt])
    return replace(term, params=params, results=results, body=body), extra


# ---- batches ------------------------------------------------------------------------------------
def word_parts(word: str) -> tuple[str, str]:
    """A word without its last step, and that: J, V, or M with a digit for each parameter."""
    found = re.fullmatch(r"(.*?)([JV]|M[01]+)", word)
    assert found
    return found[1], found[2]


def step(term: Term, last: str) -> Term:
    """The term of a word from that of the word without its last step."""
    if last[0] == "M":
        return mapped(term, [digit == "1" for digit in last[1:]])
    wrt = [g for g in term.params if g.is_float]
    if not wrt or not floats_of(term):
        raise UsageError(
            "a function without floating-point parameters and results has no derivative"
        )
    return (tangents if last == "J" else cotangents)(term, wrt, value=False)[0]


def mapped_word(term: Term, mask: Sequence[bool]) -> str | None:
    """The step that maps the term over these parameters; None where sizes would differ."""
    dims = {d for g in (*term.params, *term.results) for d in g.leaves[0].shape}
    named = {n for d in dims if isinstance(d, str) for n in re.findall(r"[A-Za-z_]\w*", d)}
    moving = {g.name for g, m in zip(term.params, mask, strict=True) if m}
    ranks = [len(g.leaves[0].shape) for g in (*term.params, *term.results)]
    if None in dims or moving & named or not moving or max(ranks) > 6:
        return None
    return "M" + "".join("01"[m] for m in mask)


def mapped(term: Term, mask: Sequence[bool]) -> Term:
    """The term over a batch: parameters of the mask and results get a dimension in front."""
    taken = taken_by(term)
    size = unique("batch", taken)
    moving = [g for g, m in zip(term.params, mask, strict=True) if m]
    params = [batch_of(g, size) if m else g for g, m in zip(term.params, mask, strict=True)]
    results = [batch_of(g, size) for g in with_results(term.results)]
    names = [g.name for g in moving]
    if len(names) <= 5:
        over = f"map{len(names) if len(names) > 1 else ''} (\\{' '.join(names)} -> BODY) "
        over += " ".join(names)
    else:
        over = f"map (\\{nested(names)} -> BODY) ({nested(names, 'zip ')})"
    if len(results) == 1:
        text = over.replace("BODY", f"({term.body}){term.results[0].name}")
        return replace(term, params=tuple(params), results=tuple(results), body=text)
    parts = [f"r{g.name}" for g in term.results]
    text = over.replace("BODY", f"let r = {term.body} in {nested(parts)}")
    rows = [f"r_{i}" for i in range(len(parts))]
    body = f"let r = {text} " + unzipped(rows) + f" in {tuple_text(rows)}"
    return replace(term, params=tuple(params), results=tuple(results), body=body)


def batch_of(g: Group, size: str) -> Group:
    leaf = Leaf(g.leaves[0].elem, (size, *g.leaves[0].shape))
    text = "[]" * len(leaf.shape) + leaf.elem
    return replace(g, type=Type("leaf", text, 1), leaves=(leaf,))


def nested(names: Sequence[str], made_by: str = "") -> str:
    """(a, (b, c)), or zip a (zip b c)."""
    if len(names) == 1:
        return names[0]
    rest = nested(names[1:], made_by)
    if made_by:
        return f"{made_by}{names[0]} {f'({rest})' if len(names) > 2 else rest}"
    return f"({names[0]}, {rest})"


def unzipped(names: Sequence[str]) -> str:
    """The parts of r, an array of nested pairs."""
    lines = []
    for name in names[:-2]:
        lines.append(f"let ({name}, r) = unzip r")
    return " ".join([*lines, f"let ({names[-2]}, {names[-1]}) = unzip r"])


# ---- vectors ------------------------------------------------------------------------------------
def size_product(leaf: Leaf) -> str:
    return " * ".join(str(d) for d in leaf.shape) if leaf.shape else "1"


def one_elem(groups: Sequence[Group], what: str) -> str:
    elems = {g.leaves[0].elem for g in groups if g.is_leaf}
    if len(elems) != 1 or not all(g.is_leaf for g in groups):
        paths = ", ".join(g.path or "the result" for g in groups)
        raise UsageError(f"{what}: {paths} must be arrays or numbers of one floating-point type")
    return elems.pop()


def unpack(g: Group, at: str) -> tuple[str, str]:
    """The group out of a vector from `at`; where it ends."""
    leaf = g.leaves[0]
    if not leaf.shape:
        return f"let {g.name} = dz_x[{at}]", f"{at} + 1"
    n = size_product(leaf)
    part = f"(dz_x[{at} : {at} + {n}] :> [{n}]{leaf.elem})"
    if len(leaf.shape) == 2:
        part = f"(unflatten {part})"
    elif len(leaf.shape) == 3:
        part = f"(unflatten_3d {part})"
    elif len(leaf.shape) > 3:
        raise UsageError(f"{g.path}: arrays of more than three dimensions are unsupported here")
    return f"let {g.name} : {leaf} = {part}", f"{at} + {n}"


def pack(groups: Sequence[Group], of: str) -> str:
    """The groups of a result as one vector."""
    parts = []
    for g in groups:
        rank = len(g.leaves[0].shape)
        name = of + g.name
        if rank > 3:
            raise UsageError("results of more than three dimensions are unsupported here")
        form = ("[{}]", "{}", "(flatten {})", "(flatten_3d {})")[rank]
        parts.append(form.format(name))
    return " ++ ".join(parts)


def rows_text(t: Type, names: Sequence[str], level: int = 0) -> str:
    """A value whose leaves have the names; arrays of records by a map over those of the fields."""
    if t.is_leaf:
        return names[0]
    if t.kind == "rows":
        inner = [f"dz_{level}_{i}" for i in range(len(names))]
        pattern, arrays = inner[-1], names[-1]
        for one, array in zip(inner[-2::-1], names[-2::-1], strict=True):
            pattern, arrays = f"({one}, {pattern})", f"(zip {array} {arrays})"
        row = replace(t, rank=t.rank - 1) if t.rank > 1 else t.parts[0]
        return f"(map (\\{pattern} -> {rows_text(row, inner, level + 1)}) {arrays})"
    parts = []
    at = 0
    for part in t.parts:
        parts.append(rows_text(part, names[at : at + part.leaves], level))
        at += part.leaves
    if t.kind == "tuple":
        return f"({', '.join(parts)})"
    fields = ", ".join(f"{f} = {text}" for f, text in zip(t.fields, parts, strict=True))
    return f"{{{fields}}}"


def split_rows(term: Term, wrt: Sequence[Group]) -> tuple[Term, tuple[Group, ...]]:
    """The term, and wrt, with the arrays of fields in the place of arrays of records in wrt."""
    made: dict[Group, list[Group]] = {}
    lets = []
    for g in wrt:
        made[g] = [g]
        if g.type.kind == "rows" and has_rows(g.type):
            leaf = Type("leaf", "", 1)
            names = [f"dz_{g.name}_{i}" for i in range(len(g.leaves))]
            made[g] = [
                Group(name, leaf, (own,), g.path) for name, own in zip(names, g.leaves, strict=True)
            ]
            lets.append(f"let {g.name} = {rows_text(g.type, names)} ")
    params = tuple(own for g in term.params for own in made.get(g, [g]))
    body = f"({''.join(lets)}in {term.body})" if lets else term.body
    return replace(term, params=params, body=body), tuple(own for g in wrt for own in made[g])


def vector_function(term: Term, wrt: Sequence[Group], results: Sequence[Group] | None) -> str:
    """\\x -> .. with the groups wrt out of one vector; results NULL: the only number."""
    lines = []
    at = "0"
    single = len(wrt) == 1 and len(wrt[0].leaves[0].shape) == 1
    for g in wrt if not single else ():
        line, at = unpack(g, at)
        lines.append(line)
    x = wrt[0].name if single else "dz_x"
    if results is None:
        lines.append("in " + projected(term) if lines else projected(term))
    else:
        whole = len(results) == 1 and results[0].name == ""
        body = f"let r = {term.body} in {pack(results, 'r')}"
        if whole and len(results[0].leaves[0].shape) == 1:
            body = term.body
            lines.append("in " + body if lines else body)
        else:
            lines.append(body)
    return f"(\\{x} -> {' '.join(lines)})"


def over_vector(term: Term, wrt: Sequence[Group], elem: str) -> tuple[tuple[Group, ...], str]:
    """The parameters with one vector for those of wrt, and the vector's name."""
    if len(wrt) == 1 and len(wrt[0].leaves[0].shape) == 1:
        return term.params, wrt[0].name
    x = Group("dz_x", Type("leaf", f"[]{elem}", 1), (Leaf(elem, ("dz_m",)),), "x")
    rest = tuple(g for g in term.params if g not in wrt)
    return (x, *rest), "dz_x"


def hidden_sizes(term: Term, wrt: Sequence[Group], params: Sequence[Group]) -> tuple[str, ...]:
    """Sizes of wrt that no remaining parameter has."""
    scalars = {g.name for g in params if g.is_leaf and not g.leaves[0].shape}
    left = set(size_names(params)) | scalars
    return tuple(s for s in size_names(wrt) if s not in left)
