-- Names and members of other languages, each with what to write here.
def unequal (x: i32) = x <> 3 --! did you mean "!="?
def unequal_too (x: i32) = x /= 3 --! did you mean "!="?
def increased (x: i32) = x += 3 --! "loop x = .. for i < n do .."
def remark (x: i32) = x // the number --! comment begins with "--"
def arrow (xs: []i32) = map (x => x * 2) xs --! written "\x -> .."
def result (x: i32) = return x --! nothing is written before it
def shown (x: i32) = print x --! "trace x"
def nothing (n: i64) : [n]f64 = zeros n --! "replicate n 0"
def sine (x: f64) = math.sin x --! did you mean "f64.sin"?
def cosine (x: f64) = np.cos x --! did you mean "f64.cos"?
def empty (n: i64) : [n]f64 = np.zeros n --! "replicate n 0"
def shape (a: [][]f64) = a.shape --! "(a: [n][m]f64)"
def turned (a: [][]f64) = a.T --! write "transpose a"
def method (a: []f64) = a.map (\x -> x + 1) --! "map .. a"
def average (a: []f64) = mean a --! f64.i64 (length xs)
def inner (a: []f64) (b: []f64) = dot a b --! map2 (*) xs ys
