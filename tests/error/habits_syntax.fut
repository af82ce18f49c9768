// a comment --! comment begins with "--"
-- Functions, comments and choices of other languages, each with what to write here.
def nameless (xs: []i64) = map (x -> x*2) xs --! "\x -> .."
def python (xs: []i64) = map (lambda x: x*2) xs --! "\x -> .."
def hash (x: i32) = x # a comment --! comment begins with "--"
def product (a: [][]f64) (b: [][]f64) = a @ b --! (transpose b)) a"
def until (n: i64) = map (\i -> i) [0..n] --! "0..<n"
def postfix (x: f64) = x if x > 0 else 1 --! "if c then x else y"
def braces (x: f64) = if x > 0 {x} else {1} --! "if c then x else y"
def other (x: f64) = if x > 0 then x elif x < 1 then 2 else 1 --! "else if"
def right_too = 1
var variable = 3 --! defined with "def"
def between = 1
double f (x: i32) = x --! "def f (x: f64) : f64 = .."
def right_again = 1
def braced (x: f64) = if x > 0 { 1 } else { 2 } --! "if c then x else y"
def braces_around (x: f64) : f64 { x } --! a function's value is its body
