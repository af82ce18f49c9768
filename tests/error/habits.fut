-- What other languages write, each with what to write here.
def condition (x: f64) = if (x = 0) then 1 else 2 --! values are compared with "=="
def bare (x: i32) = x = 0 --! values are compared with "=="
def question (x: i32) = x == 0 ? 1 : 2 --! "if c then x else y"
def equal (x: i32) = if x = 0 then 1 else 2 --! values are compared with "=="
def imperative (xs: []f64) = let s = 0 for x in xs do s + x --! "loop s = 0 for x in xs do s + x"
def repeated (n: i64) = let s = 0 while s < n do s + 1 --! "loop x = 1 while x < n do 2 * x"
def comprehension (a: []f64) = [x * 2 for x in a] --! "map (\x -> ..) xs"
def fat (a: []f64) = map (\x => x + 1) a --! write "->"
def arrow (x: f64) -> f64 = x --! after a colon
def bars (b: bool) = match b | true -> 1 | false -> 0 --! "match x case pattern -> value case .."
type semicolons = {x: f64; y: f64} --! elements are separated by ","
def right = 1
fun old x = x --! defined with "def"
def correct = 1
{- block -} --! a comment begins with "--"
def one_armed (x: f64) = if x > 0 then x
def next = 1 --! so it has both branches
