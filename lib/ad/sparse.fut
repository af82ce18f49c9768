-- Sparse Jacobians and Hessians.  A pattern is in compressed rows: those of row i are
-- columns[offsets[i]] .. columns[offsets[i+1]-1], ascending.
--
-- Where index expressions tell what each result reads (`jacobian_blocks`, doc/ad.md 3.2) pattern and
-- entries come from small dense Jacobians.  Else the pattern is found by sweeps that carry sets of
-- marks (`depends`, 3.1): columns are marked in groups, those of groups that share no row alike;
-- groups that a row depends on are split until they are columns.  It is the pattern at x in either
-- case: of the branches and elements that x selects, whatever the partial derivatives are.
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

  -- One round: groups of `width` columns become groups of width/parts.  Every colour and part has
  -- a bit of its own; a sweep carries 64 bits.
  #[inline]
  local def split [m1] [k] (n: i64) (marks: [n]u64 -> []u64) (width: i64) (parts: i64)
      (count: i64) (colours: []i64) (offsets: [m1]i64) (groups: [k]i64) : ?[k'].([m1]i64, [k']i64) =
    let part = width / parts
    let m = m1 - 1
    let rows = csr_rows k offsets
    let bit j = colours[j / width] * parts + j % width / part
    let sweep s : [m]u64 =
      marks (tabulate n (\j -> if bit j / 64 == s then 1u64 << u64.i64 (bit j % 64) else 0u64)) :> [m]u64
    let swept = map sweep (iota ((count * parts + 63) / 64))
    let hits = map2 (\i g -> tabulate parts (\h ->
                 let b = colours[g] * parts + h
                 in (swept[b / 64, i] >> u64.i64 (b % 64) & 1 == 1
                     && g * width + h * part < n, i, g * parts + h))) rows groups
    let (_, i, g) = unzip3 (filter (.0) (flatten hits))
    in (offsets_of m i :> [m1]i64, g)

  #[inline]
  local def found (n: i64) (m: i64) (marks: [n]u64 -> []u64) : ?[k].([m + 1]i64, [k]i64) =
    let width = loop w = 2 while w < n do 2 * w  -- one round at least
    let start = if n == 0 then 0 else m
    let (offsets, groups, _) =
      loop (offsets, groups, width) = (map (i64.min start) (0..1...m) :> [m + 1]i64,
                                       replicate start 0, width)
      while width > 1 do
        let (count, colours) = colour_columns ((n + width - 1) / width) offsets groups
        let parts = loop p = 2 while p < width && 2 * p * count <= 64 do 2 * p
        let (offsets, groups) = split n marks width parts count colours offsets groups
        in (offsets, groups, width / parts)
    in (offsets, groups)

  -- ---- by blocks
  -- Cell c of the cells [q] of a block with k columns is its row c / k and its place c % k among them.
  -- Cell e of block b is in the pattern where present[b, e].

  -- The places of a block's columns in ascending order, by insertion: they come in ascending runs.
  local def order [k] (columns: [k]i64) : *[k]i64 =
    loop o = iota k for i in 1..<k do
      let c = columns[i]
      let (at, o) = loop (at, o) = (i, o) while at > 0 && columns[o[at - 1]] > c do
                      let before = o[at - 1]
                      let o[at] = before
                      in (at - 1, o)
      let o[at] = i
      in o

  local def is_ascending [k] (columns: [k]i64) : bool =
    all (\i -> i == 0 || columns[i - 1] < columns[i]) (iota k)

  -- The first cell of each of the rows of a block.
  local def starts_of [q] (size: i64) (k: i64) (cells: [q]i64) : [size + 1]i64 =
    tabulate (size + 1) (\j -> i64.sum (map (\c -> i64.bool (c < j * k)) cells))

  -- Rows in compressed form, where the columns of all blocks ascend and all cells are in the pattern.
  #[inline]
  local def compressed_full [p] [k] [q] (m: i64) (size: i64) (columns: [p][k]i64) (cells: [q]i64)
      (entries: [p][q]R.t) : ?[s].([m + 1]i64, [s]i64, [s]R.t) =
    let starts = starts_of size k cells
    let of_cells c = #[unroll]
                     loop out = replicate q 0 for e < q do out with [e] = c[cells[e] % k]
    in (tabulate (m + 1) (\r -> r / size * q + starts[r % size]),
        flatten (map of_cells columns),
        flatten entries)

  -- Where the columns of all blocks ascend.
  #[inline]
  local def compressed_ascending [p] [k] [q] (m: i64) (size: i64) (columns: [p][k]i64)
      (cells: [q]i64) (present: [p][q]bool) (entries: [p][q]R.t)
      : ?[s].([m + 1]i64, [s]i64, [s]R.t) =
    let starts = starts_of size k cells
    let place = map (% k) cells
    let count r = loop n = 0 for e in starts[r % size]..<starts[r % size + 1] do
                    n + i64.bool present[r / size, e]
    let offsets = ([0] ++ scan (+) 0 (tabulate m count)) :> [m + 1]i64
    let s = offsets[m]
    let (_, out, values) =
      loop (at, out, values) = (0, replicate s 0, replicate s zero) for b < p do
        loop (at, out, values) for e < q do
          if !present[b, e] then (at, out, values)
          else let out[at] = columns[b, place[e]]
               let values[at] = entries[b, e]
               in (at + 1, out, values)
    in (offsets, out, values)

  -- In any order; entries of one column are added.
  #[inline]
  local def compressed_sorted [p] [k] [q] (m: i64) (size: i64) (columns: [p][k]i64) (cells: [q]i64)
      (present: [p][q]bool) (entries: [p][q]R.t) : ?[s].([m + 1]i64, [s]i64, [s]R.t) =
    let orders = map order columns
    let of_cell = scatter (replicate (size * k) (-1)) cells (iota q)
    let is_present r e =
      let c = of_cell[r % size * k + e]
      in c >= 0 && present[r / size, c]
    let distinct r =
      let b = r / size
      in (loop (count, last) = (0, -1) for i < k do
            let e = orders[b, i]
            let c = columns[b, e]
            in if is_present r e && c != last then (count + 1, c) else (count, last)).0
    let offsets = ([0] ++ scan (+) 0 (tabulate m distinct)) :> [m + 1]i64
    let s = offsets[m]
    let (out, values) =
      loop (out, values) = (replicate s 0, replicate s zero) for r < m do
        let (b, first) = (r / size, offsets[r])
        let (_, out, values) =
          loop (at, out, values) = (first - 1, out, values) for i < k do
            let e = orders[b, i]
            let c = columns[b, e]
            in if !is_present r e then (at, out, values)
               else let v = entries[b, of_cell[r % size * k + e]]
                    in if at >= first && out[at] == c
                       then let values[at] = copy (values[at] R.+ v) in (at, out, values)
                       else let out[at + 1] = c
                            let values[at + 1] = v
                            in (at + 1, out, values)
        in (out, values)
    in (offsets, out, values)

  #[inline]
  local def compressed [p] [k] [q] (m: i64) (columns: [p][k]i64) (cells: [q]i64)
      (present: [p][q]bool) (entries: [p][q]R.t) : ?[s].([m + 1]i64, [s]i64, [s]R.t) =
    let size = if p == 0 then 1 else i64.max 1 (m / p)
    let ascending = all is_ascending columns
    in if ascending && all (all id) present then compressed_full m size columns cells entries
       else if ascending then compressed_ascending m size columns cells present entries
       else compressed_sorted m size columns cells present entries

  -- Into the entries of a given pattern.  Where block 0 has its cells in a pattern of its own size, and
  -- so mostly all others, blocks are made in that form, cell e at home[e].  Where others differ, cells
  -- are looked for, first where the block before had them.
  #[inline]
  local def placed [m1] [p] [k] [q] [s] (offsets: [m1]i64) (given: [s]i64) (columns: [p][k]i64)
      (cells: [q]i64) (present: [p][q]bool) (entries: [p][q]R.t) : ?[s'].[s']R.t =
    let size = if p == 0 then 1 else i64.max 1 ((m1 - 1) / p)
    let width = if p == 0 then 0 else s / p
    let (row, place) = (map (/ k) cells, map (% k) cells)
    let search b e =
      let (from, end) = (offsets[b * size + row[e]], offsets[b * size + row[e] + 1])
      let c = columns[b, place[e]]
      let at = loop at = from while at < end && given[at] != c do at + 1
      in if at < end then at - from else -1
    let first = if p == 0 then replicate q (-1) else map (search 0) (iota q)
    let within = if p == 0 then replicate q (-1)
                 else map2 (\r f -> if f < 0 then -1 else offsets[r] + f) row first
    let taken = scatter (replicate width false) within (replicate q true)
    let fits = s == p * width && i64.sum (map i64.bool taken) == q
    let (w, home) = if fits then (width, within) else (q, iota q)
    let rows = map2 (\there r ->
                 #[unroll]
                 loop row = replicate w zero for e < q do
                   row with [home[e]] = if there[e] then r[e] else zero) present entries
    let alike b =
      let starts = loop same = true for j < size do
                     same && offsets[b * size + j] == b * width + offsets[j]
      in #[unroll]
         loop same = starts for e < q do
           let here = given[b * width + within[e]] == columns[b, cells[e] % k]
           in same && here
    in if fits && all alike (iota p) then flatten rows
       else (loop (values, after) = (replicate s zero, first) for b < p do
               let here e =
                 let (from, end) = (offsets[b * size + row[e]], offsets[b * size + row[e] + 1])
                 let at = from + after[e]
                 in after[e] >= 0 && at < end && present[b, e] && given[at] == columns[b, place[e]]
               let after = if all here (iota q) then after
                           else map (\e -> if present[b, e] then search b e else -1) (iota q)
               let values =
                 loop values for e < q do
                   if after[e] < 0 then values
                   else let at = offsets[b * size + row[e]] + after[e]
                        in values with [at] = copy (values[at] R.+ rows[b, home[e]])
               in (values, after)).0

  -- ---- Blocks that are added up: Hessians of sums, Jacobians whose results are sums.  Row i of block b
  -- goes to row rows[b, i] of the matrix.

  -- The transpose of a matrix in compressed rows, which has n columns: so rows come in order.
  local def turned [m1] [k] (n: i64) (offsets: [m1]i64) (columns: [k]i64) (values: [k]R.t)
      : ([n + 1]i64, [k]i64, [k]R.t) =
    let out = offsets_of n columns
    let (_, rows, entries) =
      loop (next, rows, entries) = (copy out, replicate k 0, replicate k zero) for r < m1 - 1 do
        loop (next, rows, entries) for e in offsets[r]..<offsets[r + 1] do
          let at = next[columns[e]]
          let rows[at] = r
          let entries[at] = values[e]
          let next[columns[e]] = at + 1
          in (next, rows, entries)
    in (out, rows, entries)

  -- The places in flattened `rows` that go to each of the n rows; places out of range go to row n.
  local def by_row [p] [size] (n: i64) (rows: [p][size]i64) : ([]i64, []i64) =
    csr_transpose (n + 1) (0..1...p * size)
                  (map (\r -> if r < 0 || r > n then n else r) (flatten rows))

  -- Row by row, entries of one column added: last[c] is the entry that column c had last.  Columns out
  -- of range are those of branches that are not taken.
  local def summed [p] [k] [q] [size] (m: i64) (n: i64) (rows: [p][size]i64) (columns: [p][k]i64)
      (cells: [q]i64) (present: [p][q]bool) (entries: [p][q]R.t) : ?[s].([m + 1]i64, [s]i64, [s]R.t) =
    let (starts, places) = by_row m rows
    let firsts = starts_of size k cells
    let place = map (% k) cells
    let (at, offsets, out, values, _) =
      loop (at, offsets, out, values, last) =
        (0, replicate (m + 1) 0, replicate (p * q) 0, replicate (p * q) zero, replicate n (-1))
      for r < m do
        let first = at
        let (at, out, values, last) =
          loop (at, out, values, last) for w in starts[r]..<starts[r + 1] do
            let (b, i) = (places[w] / size, places[w] % size)
            in loop (at, out, values, last) for e in firsts[i]..<firsts[i + 1] do
                 if !present[b, e] then (at, out, values, last)
                 else let c = columns[b, place[e]]
                      let before = last[c]
                      in if before >= first
                         then let values[before] = copy (values[before] R.+ entries[b, e])
                              in (at, out, values, last)
                         else let out[at] = c
                              let values[at] = entries[b, e]
                              let last[c] = at
                              in (at + 1, out, values, last)
        let offsets[r + 1] = at
        in (at, offsets, out, values, last)
    let (offsets, columns, values) = turned n offsets out[:at] values[:at]
    in turned m offsets columns values

  -- Into the entries of a given pattern: where[c] is the place of column c in the row.
  local def summed_in [m1] [s] [p] [k] [q] [size] (offsets: [m1]i64) (given: [s]i64) (n: i64)
      (rows: [p][size]i64) (columns: [p][k]i64) (cells: [q]i64) (present: [p][q]bool)
      (entries: [p][q]R.t) : [s]R.t =
    let (starts, places) = by_row (m1 - 1) rows
    let firsts = starts_of size k cells
    let place = map (% k) cells
    in (loop (values, at) = (replicate s zero, replicate n (-1)) for r < m1 - 1 do
          let at = loop at for e in offsets[r]..<offsets[r + 1] do
                     if given[e] < 0 || given[e] >= n then at else at with [given[e]] = e
          let values =
            loop values for w in starts[r]..<starts[r + 1] do
              let (b, i) = (places[w] / size, places[w] % size)
              in loop values for e in firsts[i]..<firsts[i + 1] do
                   if !present[b, e] then values
                   else let here = at[columns[b, place[e]]]
                        in if here < offsets[r] then values
                           else values with [here] = copy (values[here] R.+ entries[b, e])
          in (values, at)).0

  -- | Whether the index expressions of f tell what its results depend on: then pattern and entries of
  -- the Jacobian take no search and no colouring.  Known when the program is compiled.
  #[inline]
  def is_by_blocks [n] [m] (f: [n]R.t -> [m]R.t) (x: [n]R.t) : bool =
    (intrinsics.jacobian_blocks f x).0

  -- | The same for sums of small terms and their Hessians.
  #[inline]
  def is_sum_of_blocks [n] (f: [n]R.t -> R.t) (x: [n]R.t) : bool = (intrinsics.hessian_blocks f x).0

  -- | ([m+1], [k]): the pattern of the Jacobian of f at x.
  #[inline]
  def jacobian_pattern [n] [m] (f: [n]R.t -> [m]R.t) (x: [n]R.t) : ?[k].([m + 1]i64, [k]i64) =
    let (known, added, rows, columns, cells, present, entries) = intrinsics.jacobian_blocks f x
    in if known
       then let (offsets, columns, _) =
              if added then summed m n (transpose [rows]) columns cells present entries
              else compressed m columns cells present entries
            in (offsets, columns)
       else found n m (intrinsics.depends f x)

  local def seeds [n] (count: i64) (colours: [n]i64) : [count][n]R.t =
    tabulate_2d count n (\c j -> if colours[j] == c then one else zero)

  -- | [k]: the entries of the Jacobian, given a pattern that holds them all and a colouring of its
  -- columns: one forward sweep for each colour.
  #[inline]
  def jacobian_coloured [n] [m] [k] (count: i64) (colours: [n]i64)
      (offsets: [m + 1]i64) (columns: [k]i64) (f: [n]R.t -> [m]R.t) (x: [n]R.t) : [k]R.t =
    let b = jmp f x (seeds count colours)
    in map2 (\i j -> b[colours[j], i]) (csr_rows k offsets) columns

  -- Forward mode by colours of columns, or reverse mode by colours of rows where the columns have
  -- much fewer entries than the rows.
  #[inline]
  local def by_colours [n] [m] [k] (offsets: [m + 1]i64) (columns: [k]i64) (f: [n]R.t -> [m]R.t)
      (x: [n]R.t) : [k]R.t =
    let longest [p] (o: [p]i64) = i64.maximum (map2 (-) (drop 1 o) (init o))
    let (t_offsets, t_rows) = csr_transpose n offsets columns
    in if longest offsets <= 2 * longest t_offsets
       then let (count, colours) = colour_columns n offsets columns
            in jacobian_coloured count colours offsets columns f x
       else let (count, colours) = colour_columns m t_offsets t_rows
            let b = mjp f x (seeds count colours)
            in map2 (\i j -> b[colours[i], j]) (csr_rows k offsets) columns

  -- | [k]: the entries of the Jacobian in the pattern, by blocks where index expressions tell what
  -- is read, else by colours.
  #[inline]
  def jacobian_in [n] [m] [k] (offsets: [m + 1]i64) (columns: [k]i64) (f: [n]R.t -> [m]R.t)
      (x: [n]R.t) : [k]R.t =
    let (known, added, rows, block_columns, cells, present, entries) = intrinsics.jacobian_blocks f x
    in if added
       then summed_in offsets columns n (transpose [rows]) block_columns cells present entries
       else if known then placed offsets columns block_columns cells present entries :> [k]R.t
       else by_colours offsets columns f x

  -- | Offsets [m+1], columns [k] and entries [k] of the Jacobian of f at x.
  #[inline]
  def sparse_jacobian [n] [m] (f: [n]R.t -> [m]R.t) (x: [n]R.t)
      : ?[k].([m + 1]i64, [k]i64, [k]R.t) =
    let (known, added, rows, columns, cells, present, entries) = intrinsics.jacobian_blocks f x
    in if added then summed m n (transpose [rows]) columns cells present entries
       else if known then compressed m columns cells present entries
       else let (offsets, columns) = found n m (intrinsics.depends f x)
            in (offsets, columns, by_colours offsets columns f x)

  -- | ([n+1], [k]): the pattern of the Hessian of f at x.
  #[inline]
  def hessian_pattern [n] (f: [n]R.t -> R.t) (x: [n]R.t) : ?[k].([n + 1]i64, [k]i64) =
    let (known, _, _, columns, cells, present, entries) = intrinsics.hessian_blocks f x
    in if known then let (offsets, columns, _) = summed n n columns columns cells present entries
                     in (offsets, columns)
       else jacobian_pattern (D.grad f) x

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
    let (known, _, _, columns, cells, present, entries) = intrinsics.hessian_blocks f x
    in if known then summed n n columns columns cells present entries
       else let (offsets, columns) = jacobian_pattern (D.grad f) x
            in if is_symmetric offsets columns
               then (offsets, columns, hessian_in offsets columns f x)
               else (offsets, columns, jacobian_in offsets columns (D.grad f) x)
}
