-- Names and operators of other languages, each with what to write here.
def power (x: f64) = x ^ 2 --! a power is written "x ** y"
def pow (x: f64) = f64.pow x 2 --! a power is written "x ** y"
def joined (x: f64) = x != 1 and x < 2 --! conditions are joined with "&&"
def joined_or (x: f64) = x != 1 or x < 2 --! conditions are joined with "||"
def operator [n] (xs: [n]f64) = reduce + 0 xs --! stands in parentheses: "(+)"
def size (xs: [n]f64) = xs --! declared after the name of the function: "def f [n] ..".
def near [rows] (xs: [row]f64) : [rows]f64 = xs --! did you mean "rows"?
def truth = True --! did you mean "true"?
def count (xs: []f64) = len xs --! did you mean "length"?
