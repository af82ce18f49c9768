-- Syntax errors: the parser goes on with the next declaration.
def documented = -- | not here --!
  1
def range (n: i64) = 1..n --! A range with '..'
def x ! y = x --! cannot be used as infix
def (a, b) = (1, 2) --! Cannot bind patterns at top level
def x m.+ y = 1 --! Cannot bind a qualified name
def element (a: [][]i64) i j = a[i] [j] --! a[i,j]
def opened (m: i32) = (m + 1).(m) --! Only a module name
def no_in (x: i32) =
  let y = x + 1
def next = 1 --! is an 'in' missing
def token = 1 + ) --! Unexpected token
def last = 2
