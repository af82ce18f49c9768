"""Programs and their functions."""

from __future__ import annotations

import inspect
import keyword
import os
import re
import threading
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from . import _cache, _errors, _manifest, _values, _wrap
from ._errors import ArgumentError, CompileError, MissingFile, UsageError
from ._manifest import Entry, Manifest, Param, Type

try:
    from ._call import CallFailed, Library, Mismatch, Plan
except ImportError:  # built without a C compiler or Python's headers
    from ._call_ctypes import CallFailed, Library, Mismatch, Plan  # type: ignore[assignment]

if TYPE_CHECKING:
    from ._interp import Interpreted, Interpreter

UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
UNITS |= {f"{u}i": 1024 ** (i + 1) for i, u in enumerate("KMGT")}


def bytes_of(limit: int | str | None) -> int:
    """A memory limit: bytes, or "2GB", "512MiB"; 0: none."""
    if limit is None:
        return 0
    if isinstance(limit, int):
        if limit <= 0:
            raise UsageError(f"memory_limit: {limit} is no number of bytes")
        return limit
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]i?|)B?\s*", limit, re.IGNORECASE)
    if not found:
        raise UsageError(f'memory_limit: {limit!r} is no size; write 2000000 or "2GB"')
    unit = found[2].upper().replace("I", "i")
    return int(float(found[1]) * UNITS[unit])


BACKENDS = ("c", "multicore", "opencl", "cuda", "gpu-host")


def backend_of(backend: str | None, threads: int | None) -> str:
    """The command of the compiler: one core, unless one of the two says otherwise."""
    if backend not in (None, *BACKENDS):
        raise UsageError(f"backend: {backend!r} is none of {', '.join(BACKENDS)}")
    if threads is None:
        return backend or "c"
    if not isinstance(threads, int) or isinstance(threads, bool) or not 0 < threads <= 1024:
        raise UsageError(f"threads: {threads!r} is no number of threads, 1 to 1024")
    if backend not in (None, "multicore"):
        raise UsageError(f'threads: goes with backend="multicore", not with {backend!r}')
    return "multicore"


class Options:
    """How programs are compiled and run; the same for all that a program's functions become."""

    def __init__(
        self,
        memory_limit: int | str | None = None,
        trace_nan: bool = False,
        strict_ieee: bool = False,
        unsafe: bool = False,
        convert: bool = False,
        tuning: dict[str, int] | None = None,
        progress: Callable[[int, int], object] | None = None,
        interpret: bool = False,
        backend: str | None = None,
        threads: int | None = None,
    ) -> None:
        if progress is not None and not callable(progress):
            raise UsageError(f"progress: expected a function, got {progress!r}")
        if not isinstance(tuning or {}, dict):
            raise UsageError(f"tuning: expected a dict of parameters, got {tuning!r}")
        self.progress = progress
        self.interpret = interpret
        self.memory_limit = bytes_of(memory_limit)
        self.convert = convert
        self.tuning = tuple(sorted((tuning or {}).items()))
        self.given = {
            "memory_limit": memory_limit,
            "trace_nan": trace_nan,
            "strict_ieee": strict_ieee,
            "unsafe": unsafe,
            "convert": convert,
            "tuning": tuning,
            "interpret": interpret,
            "progress": progress,
            "backend": backend,
            "threads": threads,
        }
        self.backend = backend_of(backend, threads)
        self.threads = threads or 0
        flags = {"--trace-nan": trace_nan, "--strict-ieee": strict_ieee, "--unsafe": unsafe}
        words = ["--interruptible", *(flag for flag, wanted in flags.items() if wanted)]
        if self.memory_limit:
            words += ["--memory-limit", "0"]
        self.flags = tuple(words)

    def interpreted_since(self, error: _errors.NoCompiler) -> None:
        """There is no C compiler: says so, and that the programs are interpreted."""
        self.interpret = True
        text = f"{error}; programs are interpreted, which is hundreds of times slower"
        warnings.warn(text, _errors.InterpretedWarning, stacklevel=6)


def interpreter(path: str, text: str | None, words: Sequence[str], options: Options) -> Interpreter:
    """The interpreter of a program; its module is imported when one is wanted."""
    from ._interp import Interpreter

    return Interpreter(path, text, words, options.memory_limit)


class Compiled:
    """A loaded object: its description and its entry points, ready to be called."""

    def __init__(self, path: str, text: str | None, options: Options, flags: Sequence[str]) -> None:
        words = (*options.flags, *flags)
        self.path = path if options.interpret else self._compiled(path, text, words, options)
        if options.interpret:
            self.library: Library | Interpreter = interpreter(path, text, words, options)
        else:
            try:
                self.library = Library(
                    self.path, options.memory_limit, options.threads, options.tuning
                )
            except CallFailed as error:
                raise _errors.call_error(*error.args) from None
        self.manifest: Manifest = _manifest.manifest_read(self.library.manifest())
        self._plans: dict[str, Plan | Interpreted] = {}

    @staticmethod
    def _compiled(path: str, text: str | None, words: Sequence[str], options: Options) -> str:
        """The object's path; without a C compiler the program's, interpreted from now on."""
        try:
            return _cache.compiled(path, text, (options.backend, *words))
        except _errors.NoCompiler as error:
            options.interpreted_since(error)
            return path

    def plan(self, name: str) -> Plan | Interpreted:
        if name not in self._plans:
            entry = self.manifest.entries[name]
            self._plans[name] = self.library.plan(entry.index, *_manifest.specs(entry))
        return self._plans[name]


class Program:
    """A program; its entry points and other functions are attributes.

    See `dagaz.load`.
    """

    def __init__(self, path: str, options: Options, text: str | None = None) -> None:
        self._path = path
        self._text = text
        self._options = options
        self._lock = threading.RLock()
        self._functions: dict[str, Function] = {}
        self._compiled = Compiled(path, None, options, ())
        for name in self._compiled.manifest.entries:
            self._functions[name] = Function._of_entry(self, self._compiled, name)

    @property
    def path(self) -> str:
        """The file of the program."""
        return self._path

    @property
    def functions(self) -> tuple[str, ...]:
        """The names of the entry points."""
        return tuple(self._compiled.manifest.entries)

    @property
    def others(self) -> tuple[str, ...]:
        """The names of functions that are no entry points, those of modules as ``"m.f"``."""
        return tuple(self._compiled.manifest.others)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return Module(self, name) if name in self._modules("") else self[name]

    def _modules(self, inside: str) -> set[str]:
        """The names of the modules whose functions have this before their names."""
        names = (n[len(inside) :] for n in self.others if n.startswith(inside))
        return {n.split(".")[0] for n in names if "." in n}

    def __getitem__(self, name: str) -> Function:
        with self._lock:
            if name not in self._functions:
                self._functions[name] = self._other(name)
            return self._functions[name]

    def _other(self, name: str) -> Function:
        """A function that is no entry point, made one."""
        try:
            if "." in name:
                return self._of_module(name)
            made = Compiled(self._path, None, self._options, ("--entry-point", name))
            return Function._of_entry(self, made, name)
        except (CompileError, KeyError) as error:
            known = ", ".join((*self.functions, *self.others)) or "none"
            raise AttributeError(
                f"{os.path.basename(self._path)} has no function {name} that Python can call "
                f"(functions: {known}): {error}"
            ) from None

    def _of_module(self, name: str) -> Function:
        """A function of a module, the entry point of a program that imports this one."""
        own = name.replace(".", "_")
        other = self._compiled.manifest.others[name]
        text = _wrap.call_text(other, self._path.removesuffix(".fut"), own)
        path = os.path.join(os.path.dirname(self._path), f"{own}.fut")
        made = Compiled(path, text, self._options, ())
        return Function._of_entry(self, made, own, name)

    def __dir__(self) -> list[str]:
        own = [n for n in self.others if "." not in n]
        return [*super().__dir__(), *self.functions, *own, *self._modules("")]

    def __repr__(self) -> str:
        known = self._compiled.manifest
        rows = [f"  {self._functions[n]}" for n in known.entries]
        rows += [f"  {other}  (no entry point)" for other in known.others.values()]
        return "\n".join([f"<dagaz program {self._path}>", *rows])

    def report(self) -> dict[str, int]:
        """Memory and time of the calls of the program's own entry points."""
        names = ("bytes", "peak_bytes", "held_bytes", "calls", "nanoseconds", "contexts")
        return dict(zip(names, self._compiled.library.report(), strict=True))

    def clear_caches(self) -> None:
        """Gives memory that is held for reuse back to the system."""
        self._compiled.library.clear()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._path, self._text, self._options.given)


def _restored(path: str, text: str | None, given: dict[str, Any]) -> Program:
    name = os.path.splitext(os.path.basename(path))[0]
    return load(path, **given) if text is None else source(text, name=name, **given)


class Module:
    """A module of a program: its functions and modules are attributes."""

    def __init__(self, program: Program, name: str) -> None:
        self._program = program
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        full = f"{self._name}.{name}"
        if name in self._program._modules(f"{self._name}."):
            return Module(self._program, full)
        return self._program[full]

    def __dir__(self) -> list[str]:
        inside = f"{self._name}."
        own = (n[len(inside) :] for n in self._program.others if n.startswith(inside))
        return [*super().__dir__(), *{n.split(".")[0] for n in own}]

    def __repr__(self) -> str:
        return f"<module {self._name} of {self._program._path}>"


Builder = Callable[[], "tuple[Compiled, str]"]


def signature_of(params: Sequence[Param]) -> inspect.Signature:
    """The parameters for `help` and editors; names such as x' cannot be keywords in Python."""
    words = all(p.name.isidentifier() and not keyword.iskeyword(p.name) for p in params)
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD if words else inspect.Parameter.POSITIONAL_ONLY
    names = [p.name if words else f"argument_{i}" for i, p in enumerate(params)]
    return inspect.Signature([inspect.Parameter(name, kind) for name in names])


class Function:
    """A function of a program, or a derivative of one: call it with NumPy arrays."""

    def __init__(
        self,
        program: Program,
        entry: Entry,
        term: _wrap.Term,
        build: Builder,
        origin: tuple[Any, ...] = (),
    ) -> None:
        self._program = program
        self._entry = entry
        self._term = term
        self._build = build
        self._origin = origin
        self._call: Callable[..., Any] | None = None
        self._compiled: Compiled | None = None
        self._name_in_object = ""
        self._plain = _values.is_plain(entry.params)
        self._direct = entry.result.type.is_leaf or (
            entry.result.type.kind == "tuple" and all(p.is_leaf for p in entry.result.type.parts)
        )
        self._fast = False
        self._hidden: Callable[[Sequence[Any]], list[Any]] | None = None
        self._finish: Callable[[Any, Function, Sequence[Any]], Any] | None = None
        self.__name__ = self.__qualname__ = entry.name
        self.__doc__ = entry.doc or None

    @classmethod
    def _of_entry(
        cls, program: Program, compiled: Compiled, name: str, shown: str = ""
    ) -> Function:
        """shown: what the program calls it, where that is not the entry point's name."""
        entry = compiled.manifest.entries[name]
        term = _wrap.entry_term(entry, f"dz_user.{shown or name}")
        made = cls(program, entry, term, lambda: (compiled, name), ("entry", shown or name))
        made._ready()
        return made

    # ---- what it is -----------------------------------------------------------------------------
    @property
    def params(self) -> tuple[Param, ...]:
        """The parameters: names, types, leaves."""
        return self._entry.params

    @property
    def result(self) -> Param:
        """The result: type, leaves."""
        return self._entry.result

    @property
    def program(self) -> Program:
        """The program it belongs to."""
        return self._program

    @property
    def text(self) -> str:
        """A derivative's own program, as it is given to the compiler."""
        return _wrap.program_text(self._term, self._program._path[:-4], self.__name__)

    def __getattr__(self, name: str) -> Any:
        if name == "__signature__":
            return signature_of(self._entry.params)
        raise AttributeError(f"{type(self).__name__} has no attribute {name}")

    def __str__(self) -> str:
        r = self._entry.result
        params = ", ".join(map(str, self._entry.params))
        return f"{self.__name__}({params}) -> {_manifest.shown(r.type, r.leaves)}"

    __repr__ = __str__

    # ---- calling --------------------------------------------------------------------------------
    def _ready(self) -> Callable[..., Any]:
        """Compiles and loads it."""
        if self._call is None:
            with self._program._lock:
                self._compiled, self._name_in_object = self._build()
                call = self._compiled.plan(self._name_in_object).call
                progress = self._program._options.progress
                self._call = watched(call, self._compiled.library, progress) if progress else call
                self._fast = self._plain and self._hidden is None and self._finish is None
        return self._call

    def _in_object(self) -> tuple[Compiled, str]:
        """The object that it is compiled into, and its name there."""
        self._ready()
        assert self._compiled is not None
        return self._compiled, self._name_in_object

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._fast and not kwargs and len(args) == len(self._entry.params):
            try:
                out = self._call(*args)  # type: ignore[misc]
                return out if self._direct else self._built(out)
            except Mismatch:
                pass
            except CallFailed as error:
                raise _errors.call_error(*error.args) from None
        return self._call_slowly(self._bound(args, kwargs))

    def _call_slowly(self, args: Sequence[Any]) -> Any:
        call = self._ready()
        values = [
            leaf
            for p, a in zip(self._entry.params, args, strict=True)
            for leaf in _values.flatten(a, p.type, p.leaves, p.name)
        ]
        leaves = _values.prepare(values, self._entry.leaves, self._program._options.convert)
        given = self._hidden(leaves) if self._hidden else leaves
        try:
            out = call(*given)
        except Mismatch as error:
            raise ArgumentError(f"argument {error.args[0]} does not fit the program") from None
        except CallFailed as error:
            raise _errors.call_error(*error.args) from None
        out = self._built(out)
        return self._finish(out, self, leaves) if self._finish else out

    def _built(self, out: Any) -> Any:
        """The result from its leaves."""
        result = self._entry.result
        if result.type.is_leaf:
            return out
        return _values.build(result.type, iter((out,) if len(result.leaves) == 1 else out))

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The arguments in order."""
        names = [p.name for p in self._entry.params]
        if len(args) > len(names):
            takes = _values.counted(len(names), "argument")
            raise ArgumentError(f"{self.__name__} takes {takes}, got {len(args)}")
        given = dict(zip(names, args, strict=False))
        for name, value in kwargs.items():
            if name not in names:
                raise ArgumentError(f"{self.__name__} has no parameter {name}; it has {names}")
            if name in given:
                raise ArgumentError(f"{name}: given twice")
            given[name] = value
        missing = [n for n in names if n not in given]
        if missing:
            raise ArgumentError(f"{self.__name__}: missing {', '.join(missing)}")
        return [given[n] for n in names]

    def explain(self) -> Any:
        """See `dagaz.explain`."""
        from ._text import explain

        return explain(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _function_again, (self._program, self._origin)


def watched(
    call: Callable[..., Any], library: Library | Interpreter, progress: Callable[[int, int], object]
) -> Callable[..., Any]:
    """The call, with a thread beside it that says how far it is."""

    def work(*leaves: Any) -> Any:
        over = threading.Event()
        failed: list[Exception] = []

        def watch() -> None:
            while not over.wait(0.2):
                done, total, _ = library.progress()
                try:
                    if total:
                        progress(done, total)
                except Exception as error:
                    failed.append(error)
                    return

        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        try:
            out = call(*leaves)
        finally:
            over.set()
            thread.join()
        if failed:
            raise failed[0]
        return out

    return work


def _function_again(program: Program, origin: tuple[Any, ...]) -> Function:
    if origin[0] == "entry":
        return program[origin[1]]
    from . import _transform

    how: Callable[..., Function] = getattr(_transform, origin[0])
    return how(origin[1], **origin[2])


def derived(
    of: Function, name: str, params: Iterable[Param], result: Param, term: _wrap.Term
) -> Function:
    """A function whose program is the text of a term."""
    program = of._program
    entry = Entry(name, 0, tuple(params), result)

    def build() -> tuple[Compiled, str]:
        text = _wrap.program_text(term, program._path.removesuffix(".fut"), name)
        path = os.path.join(os.path.dirname(program._path), f"{name}.fut")
        made = Compiled(path, text, program._options, ())
        return made, name

    return Function(program, entry, term, build)


def load(
    path: str | os.PathLike[str],
    *,
    memory_limit: int | str | None = None,
    trace_nan: bool = False,
    strict_ieee: bool = False,
    unsafe: bool = False,
    convert: bool = False,
    tuning: dict[str, int] | None = None,
    progress: Callable[[int, int], object] | None = None,
    interpret: bool = False,
    backend: str | None = None,
    threads: int | None = None,
) -> Program:
    """Compiles a program, or finds it compiled.

    Parameters
    ----------
    path
        A file of the language, ``.fut``.
    memory_limit
        For the arrays of each call, in bytes or like ``"2GB"``; derivatives recompute what they
        cannot keep, and `MemoryLimitError` is raised where that is not enough.
    trace_nan
        A slow program that says where the first infinity and NaN come from.
    strict_ieee
        Derivatives with zero times infinity or NaN as IEEE says.
    unsafe
        No run-time checks.
    convert
        Converts arrays of other types; without it they are refused.
    tuning
        Values of the program's tuning parameters.
    progress
        Called as ``progress(done, total)`` five times a second while a function runs: iterations of
        its outermost loop.
    interpret
        Does without a C compiler, and slowly: each call runs the interpreter.  Where there is no C
        compiler, so it is after an `InterpretedWarning`.
    backend
        ``"c"``, the default: one core; ``"multicore"``: all cores, with the same bits;
        ``"opencl"``, ``"cuda"``: kernels for a device; ``"gpu-host"``: those on the processor.
    threads
        How many a call has, with ``backend="multicore"``, which it implies; the default is the
        number of processors.

    Returns
    -------
    Program
        Its entry points and other functions are attributes.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise ArgumentError(f"path: expected a file of the language, got {path!r:.40}")
    full = os.path.abspath(os.fspath(path))
    if not os.path.exists(full):
        raise MissingFile(f"{path}: there is no such file")
    options = Options(
        memory_limit, trace_nan, strict_ieee, unsafe, convert, tuning, progress, interpret,
        backend, threads,
    )  # fmt: skip
    return Program(full, options)


def source(
    text: str,
    *,
    name: str = "source",
    memory_limit: int | str | None = None,
    trace_nan: bool = False,
    strict_ieee: bool = False,
    unsafe: bool = False,
    convert: bool = False,
    tuning: dict[str, int] | None = None,
    progress: Callable[[int, int], object] | None = None,
    interpret: bool = False,
    backend: str | None = None,
    threads: int | None = None,
) -> Program:
    """Compiles a program given as text; imports are of ``lib/..`` or by absolute path.

    The other parameters are those of `load`.
    """
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
        raise UsageError(f"name: {name!r} is no name of a program")
    if not isinstance(text, str) or any("\ud800" <= c <= "\udfff" for c in text):
        raise UsageError(f"text: expected a program as text, got {text!r:.40}")
    options = Options(
        memory_limit, trace_nan, strict_ieee, unsafe, convert, tuning, progress, interpret,
        backend, threads,
    )  # fmt: skip
    return Program(_cache.kept_text(text, name), options, text)


__all__ = ["Function", "Program", "Type", "derived", "load", "source"]
