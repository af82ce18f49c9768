-- What the checker must accept: rules of sizes, names, modules and consumption at their edges.
-- ==
-- entry: tied
-- input { [[1,2],[3,4],[3,1]] } output { [0,2,1,0] }
-- ==
-- entry: handed
-- input { [5,1,6,7] } output { [5,5,5,5] 3i64 }
-- ==
-- entry: outer_name
-- input { [1,2,3] } output { 12 }
-- ==
-- entry: renamed
-- input { [1,2] } output { [7,2] [1,2] }
-- ==
-- entry: refined
-- input { 3 } output { 9 }
-- ==
-- entry: from_result
-- input { 4i64 } output { [3i64,4i64] 7i64 }
-- ==
-- entry: compound
-- input { [1,2,3] } output { [2,3,1,2,3] }
-- ==
-- entry: inferred
-- input { [1] [2] } output { [1] [2] }
-- input { [1] [2, 3] } error: entry point arguments have invalid sizes
-- ==
-- entry: hidden
-- input { [1,2,3] } output { 6i64 }

-- Two loop parameters of different initial sizes whose sizes the body ties to each other.
def smaller [k] (es: [k][2]i32) (ids: [k]i32) : ([][2]i32, []i32) =
  zip es ids |> filter (\(e, _) -> e[0] > 2) |> map (\(e, i) -> ([e[0] - 1, e[1]], i)) |> unzip
def narrowing [m] (es: [][2]i32) (all: [m]i64) (s: *[]i32) =
  let ids = map i32.i64 all
  let (_, _, s) =
    loop (es, ids, s) while length es > 0 do
      let s = scatter s (map (\e -> i64.i32 e[1]) es) (map (.[0]) es)
      let (es, ids) = smaller es ids
      in (es, ids, s)
  in s
entry tied [n] (es: [n][2]i32) : []i32 = narrowing es (iota n) (replicate 4 0)

-- `elems` is declared consuming, but is not consumed: it may start from an observed value.
entry handed [n] (arr: [n]i32) : ([n]i32, i64) =
  let dest = replicate n arr[0]
  let (u, _, s) =
    loop (u: *[n]i32, elems: *[]i32, s) = (dest, arr, 0)
    while length elems != 0 do (u, filter (> 5) elems[1:], s + 1)
  in (u, s)

-- Recursion would make no sense, so the outer name is meant.
module vec = {
  type t = {x: i32, y: i32}
  def (+) (a: t) (b: t) : t = {x = a.x + b.x, y = a.y + b.y}
}
def sum [n] (xs: [n]i32) = reduce (+) 0 xs
module doubled = { def sum (xs: []i32) = sum (map (* 2) xs) }
entry outer_name [n] (xs: [n]i32) = doubled.sum xs + vec.(({x = 1, y = 2} + {x = -1, y = 0}).x)

-- A renamed polymorphic function returns results as fresh as before.
module type copier = { type t val dup [n] : [n]t -> *[n]t }
module mk_copier (P: { type t }) : copier with t = P.t = { type t = P.t def dup = copy }
module copier_i32 = mk_copier { type t = i32 }
entry renamed [n] (xs: [n]i32) =
  let ys = copier_i32.dup xs
  let ys[0] = 7
  in (ys, xs)

-- The included `cell` stands for the one before it.
module type small = { type cell val get : cell -> i32 }
module type large = { type cell include small with cell = cell val put : i32 -> cell }
module mk (P: { type t val of : i32 -> t val to : t -> i32 }) : large with cell = P.t = {
  type cell = P.t
  def get = P.to
  def put = P.of
}
module cells = mk { type t = {v: i32} def of v : t = {v} def to (c: t) = c.v * 3 }
entry refined (x: i32) = cells.get (cells.put x)

-- A size parameter that occurs in the inferred result only.
def twin [n] (k: i64) = (k + n, replicate n k)
entry from_result (k: i64) =
  let (a: i64, xs: [2]i64) = twin (k - 1)
  in ([xs[0], xs[1] + 1], a + 2)

-- An abstract type that turns out to hide a size, as a later parameter.
module type coder = { type~ t val get : i64 -> t -> i64 val num : t -> i64 }
module ints : coder with t = []i32 = {
  type~ t = []i32
  def get (i: i64) (xs: []i32) = i64.i32 xs[i]
  def num (xs: []i32) = length xs
}
def total 'x (get: i64 -> x -> i64) (n: i64) (x: x) = loop s = 0 for i < n do s + get i x
entry hidden (xs: []i32) = total ints.get (ints.num xs) xs

-- A compound size over something unknown stays one size in all fields of a result.
type sized [n] = {size: [n](), data: [n]i32}
def sized_of [n] (data: [n]i32) : sized [n] = {size = replicate n (), data}
def longer (xs: []i32) = let ys = filter (> 1) xs in sized_of (ys ++ xs)
module pairs : { val longer [k] : (xs: [k]i32) -> ?[n].sized [n] } = { def longer = longer }
entry compound (xs: []i32) = (pairs.longer xs).data

-- One type parameter for both: inference makes the sizes equal, so entering compares them.
def pair 't (x: t) (y: t) = (x, y)
entry inferred (xs: []i32) (ys: []i32) = pair xs ys
