-- Rules of the user's.
-- ==
-- entry: rounded
-- input { 2.3 } output { 1.0 1.0 }
-- ==
-- entry: stopped
-- input { 3.0 } output { 3.0 3.0 0.0 0.0 0.0 0.0 }
-- ==
-- entry: captured
-- input { 3.0 2.0 } output { 100.0 9.0 100.0 9.0 }
-- ==
-- entry: taped
-- input { [1.0,2.0,4.0] } output { [1.0,0.5,0.25] [-1.0,-0.25,-0.0625] 1.75 }
-- ==
-- entry: matrix
-- input { [1.0,2.0] [3.0,-1.0] } output { [5.0,1.0] [5.0,1.0] true }
-- ==
-- entry: in_scopes
-- input { 3i64 [1.0,2.0] } output { true true }

def id_rule (x: f64) = with_vjp f64.round (\_ g -> g) x
entry rounded (x: f64) = (vjp id_rule x 1, jvp id_rule x 1)

-- stop is the identity whose derivative is zero, at every order.
def stop (x: f64) = with_vjp (\x -> x) (\_ _ -> 0) x
def f_stopped (x: f64) = stop x * x
entry stopped (x: f64) =
  let rev x = vjp f_stopped x 1
  let fwd x = jvp f_stopped x 1
  in (rev x, fwd x, vjp rev x 1 - 1 + 1, jvp rev x 1, vjp fwd x 1, jvp fwd x 1)

-- The rule is for the argument (and deliberately 100); what f captures is differentiated as usual.
def f_captured (x: f64, z: f64) = with_vjp (\x -> x * x * z) (\_ g -> 100 * g) x
entry captured (x: f64) (z: f64) =
  let (a, b) = vjp f_captured (x, z) 1
  in (a, b, jvp f_captured (x, z) (1, 0), jvp f_captured (x, z) (0, 1))

-- The argument is one of the captured variables: by the rule as the argument, through f as the other.
-- ==
-- entry: captured_argument
-- input { 2.0 } output { 104.0 104.0 4.0 4.0 }
def f_captured_argument (z: f64) = with_vjp (\x -> x * x * z) (\_ g -> 100 * g) z
entry captured_argument (z: f64) =
  let rev z = vjp f_captured_argument z 1
  let fwd z = jvp f_captured_argument z 1
  in (rev z, fwd z, vjp rev z 1, jvp fwd z 1)

-- Forward mode: a component of a histogram that turns out to have no tangent, and then a rule.
-- ==
-- entry: no_tangent
-- input { [1.0, 3.0] [0.5, 0.25] } output { 1.0 [0.0, 1.0] }
entry no_tangent [n] (xs: [n]f64) (ys: [n]f64) =
  let winner (a, b) (c, d) = if a > c then (a, b) else (c, d)
  let f xs =
    let (best, who) = unzip (hist winner (-f64.inf, 0) 1 (replicate n 0) (zip xs ys))
    in best[0] + f64.sum (with_vjp (map f64.sin) (\_ g -> map2 (\w g -> f64.cos w * g) who g) who)
  in (jvp f xs (replicate n 1), vjp f xs 1)

def logs [n] (xs: [n]f64) : [n]f64 =
  with_vjp_tape (\xs -> (xs, map f64.log xs)) (\(xs: [n]f64, g) -> map2 (/) g xs) xs
entry taped [n] (xs: [n]f64) =
  let rev xs = vjp logs xs (replicate n 1)
  in (rev xs, vjp rev xs (replicate n 1), f64.sum (jvp logs xs (replicate n 1)))

def f_captured_tape (x: f64, z: f64) =
  with_vjp_tape (\x -> (x, x * x * z)) (\(t, g) -> 100 * t * g) x
-- ==
-- entry: captured_tape
-- input { 3.0 2.0 } output { 300.0 9.0 300.0 9.0 }
entry captured_tape (x: f64) (z: f64) =
  let (a, b) = vjp f_captured_tape (x, z) 1
  in (a, b, jvp f_captured_tape (x, z) (1, 0), jvp f_captured_tape (x, z) (0, 1))

def near (a: [2]f64) (b: [2]f64) = and (map2 (\a b -> f64.abs (a - b) < 1e-8 * (1 + f64.abs b)) a b)
def all_near [n] (a: [n][2]f64) (b: [n][2]f64) = and (map2 near a b)

-- A linear function of several results: forward mode is the transpose of the rule.
def both (xs: [2]f64) : [2]f64 =
  with_vjp (\xs -> [xs[0] + 2 * xs[1], 3 * xs[0] - xs[1]])
           (\_ g -> [g[0] + 3 * g[1], 2 * g[0] - g[1]]) xs
def plain (xs: [2]f64) : [2]f64 = [xs[0] + 2 * xs[1], 3 * xs[0] - xs[1]]
entry matrix (x: [2]f64) (d: [2]f64) =
  let dirs = [[1, 0], [0, 1], d]
  in (jvp both x [1, 2], jvp plain x [1, 2] , all_near (jmp both x dirs) (jmp plain x dirs)
      && all_near (mjp both x dirs) (mjp plain x dirs))

-- In maps and loops.
def cube (x: f64) = with_vjp (\x -> x * x * x) (\y g -> 3 * g * y / f64.cbrt y) x
def slow (x: f64) = x * x * x
def nest (f: f64 -> f64) (k: i64) (xs: [2]f64) : [2]f64 =
  map (\x -> loop x for i < k do if i % 2 == 0 then f64.sin (f x) else f (x + xs[0])) xs
entry in_scopes (k: i64) (xs: [2]f64) =
  (near (vjp (nest cube k) xs [1, 2]) (vjp (nest slow k) xs [1, 2]),
   near (jvp (nest cube k) xs [1, 2]) (jvp (nest slow k) xs [1, 2]))

-- Derivatives of values of sum types have their constructors: alone, in records and arrays, nested; of results
-- and of arguments, in both modes, twice, and in rules.
-- ==
-- entry: constructors
-- input { 2.0 3.0 }
-- output { [6.0, 15.0, 10.0] [4.0, 6.0, 1.0, 0.0] [6.0, 5.0, 3.0] [12.0, 3.0] [7.0, 0.0] [1i32, 0] }
type inner = #one f64 | #two (f64, i8)
type shape = #circle f64 | #rect f64 {w: f64, h: f64} | #poly ([3]f64) | #none i8 | #deep inner
def area (s: shape) : f64 =
  match s
  case #circle r -> r * r
  case #rect d {w, h} -> d * w * h
  case #poly p -> f64.sum (map2 (*) p (rotate 1 p))
  case #none k -> f64.i8 k
  case #deep (#one x) -> x * x * x
  case #deep (#two (x, _)) -> 7 * x
entry constructors (w: f64) (h: f64) =
  let of_rect (s: shape) = match s case #rect d {w, h} -> [d, w, h] case _ -> [0, 0, 0]
  let of_circle (s: shape) = match s case #circle r -> r case _ -> 0
  let of_poly (s: shape) = match s case #poly p -> p case _ -> [0, 0, 0]
  let of_deep (s: shape) = match s case #deep (#one x) -> x case #deep (#two (x, _)) -> x case _ -> 0
  let is_one (s: shape) = match s case #deep (#one _) -> 1i32 case _ -> 0
  let all: [4]shape = [#circle w, #circle h, #deep (#one 1), #none 3]
  let parts = vjp (\r -> r.k * f64.sum (map area r.s)) {k = 1, s = all} 1
  let along = jvp (\x -> #rect x {w = x * x, h = 1} : shape) h 1
  let gradient s = vjp area s 1
  let ruled (s: shape) = with_vjp (\s -> s) (\_ (g: shape) -> #circle (3 * of_circle g)) s
  let deep = gradient (#deep (#two (1, 2)))
  in (of_rect (gradient (#rect 5 {w, h})),
      map of_circle (take 2 parts.s) ++ [(of_rect along)[0], of_circle along],
      of_poly (jvp gradient (#poly [1, 2, 3]) (#poly [0, 0, 1])) |> map2 (+) [5, 4, 3],
      [of_circle (vjp (\s -> area (ruled s)) (#circle w) 1), of_deep parts.s[2]],
      [of_deep deep, of_circle deep], [is_one parts.s[2], is_one deep])
