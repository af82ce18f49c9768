-- How other languages give names to values and repeat, each with what to write here.
def assigned (x: f64) =
  y = x * 2 --! bound with "let y = .. in .."
def stated (x: i32) = s = 0 --! bound with "let y = .. in .."
def after (x: i32) = y where y = x --! comes before its use
def again (x: i32) = let s = 0 s = s + x in s --! another "let"
def element (xs: []i32) = xs[0] = 3 --! "xs with [i] = x"
def counting (n: i64) = for i < n do i --! or "for i < n do"
def waiting (n: i64) = while n > 3 do n - 1 --! while x < n do 2 * x"
def returned (x: i32) = let y = x
  return y
def follows = 1 --! nothing stands before it
