-- What #[trace] prints of values with several parts (trace.t).
type leaf = #a i32 | #b
type shape = #circle f64 | #box {w: f64, h: f64} | #none | #many (i32, i32) ([2]f64) leaf

def shape_of (v: f64) : shape =
  if v < 1.5 then #circle v
  else if v < 2.5 then #box {w = v, h = 2 * v}
  else if v < 3.5 then #none
  else #many (3, -1) [v, v] (if v < 4.5 then #a 4 else #b)

entry main (x: i32) (xs: []f64) =
  let _ = trace (x, xs)
  let _ = trace {name = x, deep = (xs, (true, ())), s = #some x : #some i32 | #other}
  let ys = trace (zip xs (map (\v -> {a = i32.f64 v, b = [v, v]}) xs))
  let shapes = #[trace(shapes)] map shape_of xs
  let _ = trace shapes[1]
  let _ = trace ()
  let _ = trace (map (\_ -> ()) xs)
  let _ = trace (take 0 ys)
  let (f, _) = #[trace(f)] (\z -> z + x, #only 3i32 : #only i32)
  in f (i32.sum (map (\s -> match s case #circle _ -> 1 case _ -> 0) shapes))

entry derivative (x: f64) (i: i64) =
  let f (x: f64) = let (y, _, s) = trace (x * x, i, if i > 0 then #neg x else #pos : #neg f64 | #pos)
                   in match s case #neg z -> y * z case #pos -> y
  in jvp f x 1 + vjp f x 1
