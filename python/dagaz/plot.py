"""Pictures, with matplotlib: errors, costs, memory over a run, sparsity patterns."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _errors
from ._program import Function, source
from ._transform import Wrt, jacobian, program_function

if TYPE_CHECKING:
    from ._check import GradCheck
    from ._text import Explanation


def axes_of(ax: Any) -> Any:
    """The axes, or new ones."""
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots()[1]


def check(found: GradCheck, ax: Any = None) -> Any:
    """The errors of a gradient check over step sizes."""
    ax = axes_of(ax)
    errors = np.maximum(found.errors, 1e-17)
    ax.loglog(found.steps, errors, "o-", label="differences against forward mode")
    ax.axhline(max(found.modes, 1e-17), linestyle=":", label="forward against reverse mode")
    ax.axhline(found.tolerance, color="gray", linewidth=0.8, label="allowed")
    ax.set(xlabel="step", ylabel="relative error", title=f"derivative of {found.name}")
    ax.legend()
    return ax


def cost(of: Explanation, ax: Any = None) -> Any:
    """The work of derivatives, as multiples of that of their values."""
    ax = axes_of(ax)
    names = [f"{row['mode']} at {row['at'].rpartition('/')[2]}" for row in of.rows]
    ax.barh(names, [row["factor"] or 0 for row in of.rows])
    ax.axvline(1, color="gray", linewidth=0.8)
    ax.set(xlabel="work, times that of the value, for large sizes", title=of.name)
    return ax


def memory_over_run(f: Function, *args: Any, step: float = 0.001) -> tuple[Any, Any]:
    """Bytes of arrays in use while a function runs: times in seconds, bytes."""
    program_function(f)
    call = f._ready
    call()
    compiled = f._compiled
    assert compiled is not None
    over = threading.Event()
    times: list[float] = []
    sizes: list[int] = []

    def watch() -> None:
        start = time.perf_counter()
        while not over.is_set():
            times.append(time.perf_counter() - start)
            sizes.append(compiled.library.progress()[2])
            over.wait(step)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        f(*args)
    finally:
        over.set()
        thread.join()
    return np.array(times), np.array(sizes)


def memory(f: Function, *args: Any, ax: Any = None, step: float = 0.001) -> Any:
    """Draws `memory_over_run`."""
    ax = axes_of(ax)
    times, sizes = memory_over_run(f, *args, step=step)
    ax.fill_between(times * 1e3, sizes / 1e6, step="post", alpha=0.5)
    ax.set(xlabel="milliseconds", ylabel="MB in use", title=f.__name__)
    return ax


COLOURS = """
import "lib/ad/sparse"
entry colours [m1] [k] (n: i64) (offsets: [m1]i64) (columns: [k]i64) : (i64, [n]i64) =
  colour_columns n offsets columns
"""


def coloured(matrix: Any) -> tuple[int, Any]:
    """How many colours the columns of a pattern take, and the colour of each."""
    f = source(COLOURS, name="colours").colours
    wide = np.int64
    count, colours = f(matrix.shape[1], matrix.indptr.astype(wide), matrix.indices.astype(wide))
    return int(count), colours


def sparsity(f: Function, *args: Any, wrt: Wrt = None, ax: Any = None) -> Any:
    """Draws where a Jacobian may be nonzero, each column in its colour.

    Parameters
    ----------
    f, args
        A function and where to take its Jacobian.
    wrt
        By which parameters, as for `jacobian`.

    Returns
    -------
    matplotlib axes
        The number of colours, and so of forward sweeps, is in the title.
    """
    matrix = jacobian(f, wrt, sparse=True)(*args)
    count, colours = coloured(matrix)
    ax = axes_of(ax)
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    if matrix.nnz == 0:
        raise _errors.UsageError(f"the Jacobian of {f.__name__} has no entries")
    size = max(0.2, 60.0 / max(matrix.shape)) ** 1.5
    ax.scatter(matrix.indices, rows, c=colours[matrix.indices], s=size, cmap="turbo", marker="s")
    ax.set(xlim=(-0.5, matrix.shape[1] - 0.5), ylim=(matrix.shape[0] - 0.5, -0.5))
    ax.set(title=f"{f.__name__}: {matrix.nnz} entries, {count} colours", aspect="equal")
    return ax
