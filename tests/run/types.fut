-- Records, tuples, sums, pattern matching, type abbreviations, polymorphism, higher-order functions.
-- ==
-- entry: records
-- input { 1.0 2.0 } output { 5.0 3.0 }
-- ==
-- entry: sums
-- input { 0i32 } output { 10i32 }
-- input { 1i32 } output { 7i32 }
-- input { 2i32 } output { -1i32 }
-- ==
-- entry: functions
-- input { 3i32 } output { 11i32 [4,5,6] 8i32 }
-- ==
-- entry: sized
-- input { [1,2,3] } output { [1,2,3,1,2,3] }
-- ==
-- entry: rows
-- input { [1,2,3] } output { 12i32 }

type point = {x: f64, y: f64}
def norm2 (p: point) = p.x * p.x + p.y * p.y
entry records (x: f64) (y: f64) =
  let p: point = {x, y}
  let q = p with x = p.x - 0.0
  in (norm2 q, let {x = a, y = b} = p in a + b)

type shape = #square i32 | #rectangle i32 i32 | #point
def area (s: shape) =
  match s
  case #square a -> a * a
  case #rectangle a b -> a + b
  case #point -> -1
entry sums (n: i32) =
  let s: shape = if n == 0 then #rectangle 4 6 else if n == 1 then #rectangle 3 4 else #point
  in area s

def twice 'a (f: a -> a) (x: a) = f (f x)
def compose 'a 'b 'c (f: b -> c) (g: a -> b) = \x -> f (g x)
entry functions (n: i32) =
  (twice (+ 4) n, map (compose (+ n) (+ 1)) [0, 1, 2], (`i32.max` 8) n)

def doubled [n] 't (xs: [n]t) : [n + n]t = xs ++ xs
entry sized [n] (xs: [n]i32) = doubled xs

-- More than ten components.
-- ==
-- entry: twelve
-- input { 0 1i64 2 3 4 5 6 7 8 9 true 11 } output { 11 true 1i64 2 9 }
entry twelve (t: (i32, i64, i32, i32, i32, i32, i32, i32, i32, i32, bool, i32)) =
  (t.11, t.10, t.1, t.2, t.9)

-- An array as the only argument of a constructor needs no parentheses, whatever its elements are.
type row [n] = [n]i32
type rows [n] = #two [2]row [n] | #none
entry rows [n] (xs: [n]i32) =
  let total (r: rows [n]) = match r case #two a -> i32.sum (flatten a) case #none -> 0
  in total (#two [xs, reverse xs]) + total #none
