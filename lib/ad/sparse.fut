-- Sparse Jacobians and Hessians.  A pattern is in compressed rows: those of row i are
-- columns[offsets[i]] .. columns[offsets[i+1]-1], ascending.
--
-- A pattern is found by forward mode with NaN for a tangent: the results that become NaN depend on
-- what it was given to, whatever the partial derivatives are.  Columns are tested in groups, all
-- groups that share no row at once; groups that a row depends on are halved until they are columns.
-- It is the pattern at x: of the branches and elements that x selects.
import "dense"

-- | The row of every entry.
def csr_rows [m1] (k: i64) (offsets: [m1]i64) : [k]i64 =
  let starts = reduce_by_index (replicate (k + 1) 0) (+) 0 offsets (replicate m1 1)
  in map (\s -> s - 1) (scan (+) 0 starts[:k])

local def offsets_of [k] (rows: i64) (row: [k]i64) : [rows + 1]i64 =
  let count = reduce_by_index (replicate rows 0) (+) 0 row (replicate k 1)
  in ([0] ++ scan (+) 0 count) :> [rows + 1]i64

-- | The pattern of the transpose, which has n rows.
def csr_transpose [m1] [k] (n: i64) (offsets: [m1]i64) (columns: [k]i64) : ([n + 1]i64, [k]i64) =
  let out = offsets_of n columns
  let rows = csr_rows k offsets
  let (_, placed) =
    loop (next, placed) = (copy out, replicate k 0) for e < k do
      let c = columns[e]
      let at = next[c]
      let placed[at] = rows[e]
      let next[c] = at + 1
      in (next, placed)
  in (out, placed)

-- The first colour that is not marked with v.
local def first_free [c] (marks: [c]i64) (v: i64) : i64 =
  loop i = 0 while marks[i] == v do i + 1

-- | Colours for n columns such that no row has two entries of one colour, greedily; how many, and
-- the colour of each.
def colour_columns [m1] [k] (n: i64) (offsets: [m1]i64) (columns: [k]i64) : (i64, [n]i64) =
  let (t_offsets, t_rows) = csr_transpose n offsets columns
  let (colours, _) =
    loop (colours, marks) = (replicate n (-1), replicate (n + 1) (-1)) for v < n do
      let marks =
        loop marks for e in t_offsets[v]..<t_offsets[v + 1] do
          let row = t_rows[e]
          in loop marks for d in offsets[row]..<offsets[row + 1] do
               let c = colours[columns[d]]
               in if c >= 0 then marks with [c] = v else marks
      let colours[v] = first_free marks v
      in (colours, marks)
  in (1 + i64.maximum ([-1] ++ colours), colours)

-- | Star colouring of a symmetric pattern: neighbours differ, and every path of four vertices has
-- three colours.  Then each entry (i,j) is alone in its row with colour of j, or in that of j with
-- the colour of i.
def colour_star [n1] [k] (n: i64) (offsets: [n1]i64) (columns: [k]i64) : (i64, [n]i64) =
  let has_two colours x w =
    any (\e -> columns[e] != w && columns[e] != x && colours[columns[e]] == colours[w])
        (offsets[x]..<offsets[x + 1])
  let (colours, _) =
    loop (colours, marks) = (replicate n (-1), replicate (n + 1) (-1)) for v < n do
      let marks =
        loop marks for e in offsets[v]..<offsets[v + 1] do
          let w = columns[e]
          let marks = if w != v && colours[w] >= 0 then marks with [colours[w]] = v else marks
          in if w == v then marks
             else loop marks for d in offsets[w]..<offsets[w + 1] do
                    let x = columns[d]
                    in if x == v || x == w || colours[x] < 0 then marks
                       else if colours[w] < 0 || has_two colours x w
                       then marks with [colours[x]] = v
                       else marks
      let colours[v] = first_free marks v
      in (colours, marks)
  in (1 + i64.maximum ([-1] ++ colours), colours)

local def is_symmetric [n1] [k] (offsets: [n1]i64) (columns: [k]i64) : bool =
  let (t_offsets, t_columns) = csr_transpose (n1 - 1) offsets columns
  in all id (map2 (==) offsets (t_offsets :> [n1]i64)) && all id (map2 (==) columns t_columns)

-- | Jacobians and Hessians with a known pattern of zeros, by colouring.
module mk_sparse (R: float) = {
  local module D = mk_dense R
  local def zero = R.i64 0
  local def one = R.i64 1

  -- One halving: groups of `width` columns become groups of width/2.
  #[inline]
  local def halve [m1] [k] (n: i64) (push: [n]R.t -> []R.t) (width: i64) (offsets: [m1]i64)
      (groups: [k]i64) : ?[k'].([m1]i64, [k']i64) =
    let half = width / 2
    let (count, colours) = colour_columns ((n + width - 1) / width) offsets groups
    let m = m1 - 1
    let rows = csr_rows k offsets
    let probe c h : [m]bool =
      let seed = tabulate n (\j -> if colours[j / width] == c && j % width / half == h
                                   then R.nan else zero)
      in map R.isnan (push seed :> [m]R.t)
    let hits = tabulate_2d count 2 probe
    let keep = flatten (map2 (\i g -> tabulate 2 (\h ->
                 (hits[colours[g], h, i] && (2 * g + h) * half < n, i, 2 * g + h))) rows groups)
    let (_, i, g) = unzip3 (filter (.0) keep)
    in (offsets_of m i :> [m1]i64, g)

  #[inline]
  local def found (n: i64) (m: i64) (push: [n]R.t -> []R.t) : ?[k].([m + 1]i64, [k]i64) =
    let width = loop w = 1 while w < n do 2 * w
    let start = if n == 0 then 0 else m
    let (offsets, groups, _) =
      loop (offsets, groups, width) = (map (i64.min start) (0..1...m) :> [m + 1]i64,
                                       replicate start 0, width)
      while width > 1 do
        let (offsets, groups) = halve n push width offsets groups
        in (offsets, groups, width / 2)
    in (offsets, groups)

  -- | ([m+1], [k]): the pattern of the Jacobian of f at x.
  #[inline]
  def jacobian_pattern [n] [m] (f: [n]R.t -> [m]R.t) (x: [n]R.t) : ?[k].([m + 1]i64, [k]i64) =
    found n m (jvp f x)

  local def seeds [n] (count: i64) (colours: [n]i64) : [count][n]R.t =
    tabulate_2d count n (\c j -> if colours[j] == c then one else zero)

  -- | [k]: the entries of the Jacobian, given a pattern that holds them all and a colouring of its
  -- columns: one forward sweep for each colour.
  #[inline]
  def jacobian_coloured [n] [m] [k] (count: i64) (colours: [n]i64)
      (offsets: [m + 1]i64) (columns: [k]i64) (f: [n]R.t -> [m]R.t) (x: [n]R.t) : [k]R.t =
    let b = jmp f x (seeds count colours)
    in map2 (\i j -> b[colours[j], i]) (csr_rows k offsets) columns

  -- | [k]: the entries of the Jacobian in the pattern.  Forward mode by colours of columns, or
  -- reverse mode by colours of rows where the columns have much fewer entries than the rows.
  #[inline]
  def jacobian_in [n] [m] [k] (offsets: [m + 1]i64) (columns: [k]i64) (f: [n]R.t -> [m]R.t)
      (x: [n]R.t) : [k]R.t =
    let longest [p] (o: [p]i64) = i64.maximum (map2 (-) (drop 1 o) (init o))
    let (t_offsets, t_rows) = csr_transpose n offsets columns
    in if longest offsets <= 2 * longest t_offsets
       then let (count, colours) = colour_columns n offsets columns
            in jacobian_coloured count colours offsets columns f x
       else let (count, colours) = colour_columns m t_offsets t_rows
            let b = mjp f x (seeds count colours)
            in map2 (\i j -> b[colours[i], j]) (csr_rows k offsets) columns

  -- | Offsets [m+1], columns [k] and entries [k] of the Jacobian of f at x.
  #[inline]
  def sparse_jacobian [n] [m] (f: [n]R.t -> [m]R.t) (x: [n]R.t)
      : ?[k].([m + 1]i64, [k]i64, [k]R.t) =
    let (offsets, columns) = jacobian_pattern f x
    in (offsets, columns, jacobian_in offsets columns f x)

  -- | ([n+1], [k]): the pattern of the Hessian of f at x.
  #[inline]
  def hessian_pattern [n] (f: [n]R.t -> R.t) (x: [n]R.t) : ?[k].([n + 1]i64, [k]i64) =
    jacobian_pattern (D.grad f) x

  -- | [k]: the entries of the Hessian in a symmetric pattern: a Hessian times a vector for each
  -- colour of a star colouring.
  #[inline]
  def hessian_in [n] [k] (offsets: [n + 1]i64) (columns: [k]i64) (f: [n]R.t -> R.t) (x: [n]R.t)
      : [k]R.t =
    let (count, colours) = colour_star n offsets columns
    let b = jmp (D.grad f) x (seeds count colours)
    let alone i j =
      all (\e -> columns[e] == j || colours[columns[e]] != colours[j])
          (offsets[i]..<offsets[i + 1])
    in map2 (\i j -> if alone i j then b[colours[j], i] else b[colours[i], j])
            (csr_rows k offsets) columns

  -- | Offsets [n+1], columns [k] and entries [k] of the Hessian of f at x, both triangles.
  #[inline]
  def sparse_hessian [n] (f: [n]R.t -> R.t) (x: [n]R.t) : ?[k].([n + 1]i64, [k]i64, [k]R.t) =
    let (offsets, columns) = hessian_pattern f x
    in if is_symmetric offsets columns
       then (offsets, columns, hessian_in offsets columns f x)
       else (offsets, columns, jacobian_in offsets columns (D.grad f) x)
}
