-- Values that a specification hides are sizes like others: equal to themselves only.
def converted (n: i32) : [i64.i32 n]i32 = filter (> 0) [n] --! do not match
def range (n: i32) : [i64.i32 n]i32 = 0..<n --! unknown length of range
def itself (n: i32) (xs: [i64.i32 n]i32) : [i64.i32 n]i32 = map (+ n) xs

module type sized = { val n : i64 val xs : [n]i32 }
module inside (m: sized) = { def three : [3]i32 = m.xs def same : [m.n]i32 = m.xs } --! do not match
module make (m: { val n : i64 }) = { def ys : [m.n]i32 = replicate m.n 1 }
module k = { def n = 3i64 def m = 4i64 }
module l = make k
def given : [k.n]i32 = l.ys
def other : [k.m]i32 = l.ys --! do not match
