// The beginning of formulas: the module, and the functions that they use and NumPy lacks.
#include "formula.h"

static const struct {
  Help help;
  const char *text;
} fronts[] = {
    {HELP_TIMES,
     "def times(d, p):  # d * p, but 0 where d is 0, even if p is infinite or NaN\n"
     "    return d * np.where((d != 0) | (np.abs(p) < np.inf), p, 0.0)\n"},
    {HELP_GUARD,
     "def guard(d, p, x):  # x, but 0 where d is 0 and p is infinite or NaN\n"
     "    return np.where((d != 0) | (np.abs(p) < np.inf), x, 0.0)\n"},
    {HELP_POWZ,
     "def powz(x, y):  # x ** y, but 0 where that would divide by 0\n"
     "    pole = (x == 0) & (y < 0)\n"
     "    return np.where(pole, 0.0, np.power(np.where(pole, 1.0, x), y))\n"},
    {HELP_PUT,
     "def put(op, dest, index, value):  # dest[index] = op(dest[index], value); outside: nothing\n"
     "    dest, index = dest.copy(), np.broadcast_arrays(*index)\n"
     "    inside = np.logical_and.reduce([(0 <= i) & (i < n) for i, n in zip(index, dest.shape)])\n"
     "    index, value = tuple(i[inside] for i in index), np.asarray(value)[inside]\n"
     "    if op is None:\n"
     "        dest[index] = value\n"
     "    else:\n"
     "        op.at(dest, index, value)\n"
     "    return dest\n"},
    {HELP_FOLD,
     "def fold(op, neutral, axis, *xs):  # a reduction of several arrays by one operator\n"
     "    out = [np.full(x.shape[:axis] + x.shape[axis + 1:], z, x.dtype)\n"
     "           for x, z in zip(xs, neutral)]\n"
     "    for rows in zip(*(np.moveaxis(x, axis, 0) for x in xs)):\n"
     "        out = op(*out, *rows)\n"
     "    return out\n"},
    {HELP_FIRST,
     "def first(extremum, place, x, axis):  # the extremum, and the first place that has it or -1\n"
     "    none = extremum(-np.inf, np.inf) * -1.0\n"
     "    x = np.where(np.isnan(x), none, x)\n"
     "    most = extremum.reduce(x, axis, initial=none)\n"
     "    return most, np.where(most == none, -1, place(x, axis))\n"},
    {HELP_SCAN,
     "def scan(op, neutral, axis, *xs):  # all prefixes of such a reduction\n"
     "    out, all = [np.full(x.shape[:axis] + x.shape[axis + 1:], z, x.dtype)\n"
     "                for x, z in zip(xs, neutral)], []\n"
     "    for rows in zip(*(np.moveaxis(x, axis, 0) for x in xs)):\n"
     "        out = op(*out, *rows)\n"
     "        all.append(out)\n"
     "    return [np.stack(a, axis) for a in zip(*all)] if all else xs\n"},
    {HELP_BEFORE,
     "def before(scanned, neutral, axis):  # a scan without each element itself\n"
     "    n = scanned.shape[axis]\n"
     "    first = np.full_like(np.take(scanned, range(min(n, 1)), axis), neutral)\n"
     "    return np.concatenate([first, np.take(scanned, range(n - 1), axis)], axis)\n"},
};

void formula_front(Text *out, unsigned helps) {
  text_puts(out, "import numpy as np\n");
  if (helps & 1u << HELP_SPECIAL) text_puts(out, "from scipy import special\n");
  for (size_t i = 0; i < sizeof fronts / sizeof *fronts; i++)
    if (helps & 1u << fronts[i].help) text_printf(out, "\n%s", fronts[i].text);
  text_puts(out, "\n");
}
