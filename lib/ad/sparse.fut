-- Sparse Jacobians and Hessians.  A pattern is in compressed rows: those of row i are
-- columns[offsets[i]] .. columns[offsets[i+1]-1], ascending.
--
-- Where index expressions tell what each result reads (`jacobian_blocks`, doc/sparse-jacobians.md) pattern and
-- entries come from small dense Jacobians.  Else the pattern is found by sweeps that carry sets of
-- marks (`depends`, 3.1): columns are marked in groups, those of groups that share no row alike;
-- groups that a row depends on are split until they are columns.  Rows that depend on very many are
-- searched from their ends: the transposed Jacobian times s is linear in s, so what it depends on of s is
-- the pattern of rows.  It is the pattern at x in either case: of the branches and elements that x selects, whatever the partial derivatives are.
import "dense"
open import "colours"

local def is_symmetric [n1] [k] (offsets: [n1]i64) (columns: [k]i64) : bool =
  let (t_offsets, t_columns) = csr_transpose (n1 - 1) offsets columns
  in all id (map2 (==) offsets (t_offsets :> [n1]i64)) && all id (map2 (==) columns t_columns)

-- | Jacobians and Hessians with a known pattern of zeros, by colouring.
module mk_sparse (R: float) = {
  local module D = mk_dense R
  local def zero = R.i64 0
  local def one = R.i64 1

  -- One round: groups of 2^w columns become groups of 2^(w - p).  Every colour and part has a bit of
  -- its own; a sweep carries 64 bits.
  #[inline]
  local def split [m1] [k] (n: i64) (marks: [n]u64 -> []u64) (w: i64) (p: i64)
      (count: i64) (colours: []i64) (offsets: [m1]i64) (groups: [k]i64) : ?[k'].([m1]i64, [k']i64) =
    let (m, part) = (m1 - 1, w - p)
    let rows = csr_rows k offsets
    let bit = tabulate n (\j -> (colours[j >> w] << p) + ((j >> part) & ((1 << p) - 1)))
    let sweeps = ((count << p) + 63) >> 6
    let at_once = i64.max 1 ((1 << 20) / i64.max 1 m)  -- 8 MiB of marks
    let hits =
      loop hits = replicate k 0u64 for r < (sweeps + at_once - 1) / at_once do
        let first = r * at_once
        let swept = tabulate (i64.min at_once (sweeps - first)) (\s ->
                      marks (map (\b -> if b >> 6 == first + s then 1u64 << u64.i64 (b & 63) else 0u64) bit)
                      :> [m]u64)
        in map3 (\i g old ->
                  let b = colours[g] << p
                  let s = (b >> 6) - first
                  in if s < 0 || s >= length swept then old
                     else (swept[s, i] >> u64.i64 (b & 63)) & (u64.highest >> u64.i64 (64 - (1 << p))))
                rows groups hits
    let ends = [0] ++ scan (+) 0 (map (\h -> i64.i32 (u64.popc h)) hits)
    let out =
      loop out = replicate ends[k] 0 for e < k do
        (loop (out, at, left) = (out, ends[e], hits[e]) while left != 0 do
           let out[at] = (groups[e] << p) + i64.i32 (u64.ctz left)
           in (out, at + 1, left & (left - 1))).0
    in (map (\o -> ends[o]) offsets, out)

  -- Colours for groups of columns; each its own where looking for them would cost more than the sweeps
  -- that they save: a row of many entries has as many colours anyway.
  local def group_colours [m1] [k] (n: i64) (size: i64) (offsets: [m1]i64) (groups: [k]i64)
      : (i64, [size]i64) =
    let (telling, columns) = csr_telling offsets groups
    let pairs = i64.sum (map (\l -> l * l) (csr_lengths telling))
    in if pairs > (n + m1) * (64 + size / 8) then (size, iota size)
       else colour_columns size telling columns

  -- The rows that are so long that to split their groups on takes more sweeps than to search them from
  -- their ends; a sweep back costs about three.  A row that stays takes a direction for each group in
  -- each of the w rounds, of 64 a sweep, and halves of groups.
  local def long_rows [m1] (w: i64) (offsets: [m1]i64) : [m1 - 1]bool =
    let lengths = csr_lengths offsets
    let (most, _) = cutoff (2 * w) 3 lengths
    let long = map (> most) lengths
    let sweeps = (i64.sum (map i64.bool long) + 63) / 64
    let worth = 2 * w * (i64.maximum ([0] ++ lengths) - most) > 3 * 64 * sweeps
    in map (worth &&) long

  -- `marks` carries sets of marks of columns to rows, `back` those of rows to columns.
  #[inline]
  local def found (n: i64) (m: i64) (marks: [n]u64 -> []u64) (back: [m]u64 -> []u64)
      : ?[k].([m + 1]i64, [k]i64) =
    let w = loop w = 1 while 1 << w < n do w + 1  -- one round at least
    let start = if n == 0 then 0 else m
    let (offsets, groups, long, _) =
      loop (offsets, groups, long, w) =
        (map (i64.min start) (0..1...m) :> [m + 1]i64, replicate start 0, replicate m false, w)
      while w > 0 do
        let longer = long_rows w offsets :> [m]bool
        let (offsets, groups) = csr_filter_rows (map (\l -> !l) longer) offsets groups
        let (count, colours) = group_colours n (((n - 1) >> w) + 1) offsets groups
        let p = loop p = 1 while p < w && p < 6 && count << (p + 1) <= 64 do p + 1
        let (offsets, groups) = split n marks w p count colours offsets groups
        in (offsets, groups, map2 (||) long longer, w - p)
    let before = [0] ++ scan (+) 0 (map i64.bool long)
    let mark s i = let at = before[i] - 64 * s
                   in if long[i] && 0 <= at && at < 64 then 1u64 << u64.i64 at else 0
    let swept = tabulate ((before[m] + 63) / 64) (\s -> back (tabulate m (mark s)) :> [n]u64)
    in csr_with_bits long swept offsets groups

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

  -- Into the entries of a given pattern.  Where block 0 has its cells in a pattern of its size, and
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
    let out = csr_offsets n columns
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

  -- The rows that depend on which columns: the sets of marks of columns.
  #[inline]
  local def back_of [n] [m] (f: [n]R.t -> [m]R.t) (x: [n]R.t) (marks: [m]u64) : []u64 =
    intrinsics.depends (\g -> vjp f x g) (replicate m one) marks

  #[inline]
  local def pattern_by [n] [m] (back: [m]u64 -> []u64) (f: [n]R.t -> [m]R.t) (x: [n]R.t)
      : ?[k].([m + 1]i64, [k]i64) =
    let (known, added, rows, columns, cells, present, entries) = intrinsics.jacobian_blocks f x
    in if known
       then let (offsets, columns, _) =
              if added then summed m n (transpose [rows]) columns cells present entries
              else compressed m columns cells present entries
            in (offsets, columns)
       else found n m (intrinsics.depends f x) back

  -- | ([m+1], [k]): the pattern of the Jacobian of f at x.
  #[inline]
  def jacobian_pattern [n] [m] (f: [n]R.t -> [m]R.t) (x: [n]R.t) : ?[k].([m + 1]i64, [k]i64) =
    pattern_by (back_of f x) f x

  -- The transpose of a Hessian is the Hessian.
  #[inline]
  local def symmetric_pattern [n] (f: [n]R.t -> R.t) (x: [n]R.t) : ?[k].([n + 1]i64, [k]i64) =
    pattern_by (intrinsics.depends (D.grad f) x) (D.grad f) x

  local def seeds [n] (count: i64) (colours: [n]i64) : [count][n]R.t =
    tabulate_2d count n (\c j -> if colours[j] == c then one else zero)

  -- | [k]: the entries of the Jacobian, given a pattern that holds them all and a colouring of its
  -- columns: one forward sweep for each colour.
  #[inline]
  def jacobian_coloured [n] [m] [k] (count: i64) (colours: [n]i64)
      (offsets: [m + 1]i64) (columns: [k]i64) (f: [n]R.t -> [m]R.t) (x: [n]R.t) : [k]R.t =
    let b = jmp f x (seeds count colours)
    in map2 (\i j -> b[colours[j], i]) (csr_rows k offsets) columns

  -- The same, but for columns without an entry, which have none: -1.
  local def colours_in_use [m1] [k] (n: i64) (offsets: [m1]i64) (columns: [k]i64) : (i64, [n]i64) =
    let used = scatter (replicate n false) columns (replicate k true)
    let (_, colours) = colour_columns n offsets columns
    let colours = map2 (\u c -> if u then c else -1) used colours
    in (1 + i64.maximum ([-1] ++ colours), colours)

  -- Forward mode by colours of columns, reverse mode by colours of rows.  A row of many entries takes as
  -- many directions forward, and one in reverse; a column the other way round.  So either rows that are
  -- longer than others are made in reverse mode and the rest forward, or columns that are longer are
  -- made forward and the rest in reverse.
  #[inline]
  local def by_colours [n] [m] [k] (offsets: [m + 1]i64) (columns: [k]i64) (f: [n]R.t -> [m]R.t)
      (x: [n]R.t) : [k]R.t =
    let rows = csr_rows k offsets
    let in_row = csr_lengths offsets :> [m]i64
    let in_column = reduce_by_index (replicate n 0) (+) 0 columns (replicate k 1)
    let (row_most, by_rows) = cutoff 1 2 in_row
    let (column_most, by_columns) = cutoff 2 1 in_column
    let forward = map2 (\i j -> if by_rows <= by_columns then in_row[i] <= row_most
                                else in_column[j] > column_most) rows columns
    let (count, colours) =
      let (offsets, columns) = csr_filter forward offsets columns
      in colours_in_use n offsets columns
    let (r_count, r_colours) =
      let (offsets, columns) = csr_filter (map (\there -> !there) forward) offsets columns
      let (t_offsets, t_rows) = csr_transpose n offsets columns
      in colours_in_use m t_offsets t_rows
    let b = if count == 0 then replicate count (replicate m zero) else jmp f x (seeds count colours)
    let c = if r_count == 0 then replicate r_count (replicate n zero)
            else mjp f x (seeds r_count r_colours)
    in map3 (\there i j -> if there then b[colours[j], i] else c[r_colours[i], j])
            forward rows columns

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
       else let (offsets, columns) = found n m (intrinsics.depends f x) (back_of f x)
            in (offsets, columns, by_colours offsets columns f x)

  -- | ([n+1], [k]): the pattern of the Hessian of f at x.
  #[inline]
  def hessian_pattern [n] (f: [n]R.t -> R.t) (x: [n]R.t) : ?[k].([n + 1]i64, [k]i64) =
    let (known, _, _, columns, cells, present, entries) = intrinsics.hessian_blocks f x
    in if known then let (offsets, columns, _) = summed n n columns columns cells present entries
                     in (offsets, columns)
       else symmetric_pattern f x

  -- Whether each entry is the only one of its colour in its row.
  local def alone [n1] [k] [n] (count: i64) (colours: [n]i64) (offsets: [n1]i64) (columns: [k]i64)
      : [k]bool =
    (loop (alone, seen) = (replicate k false, replicate count 0) for i < n1 - 1 do
       let entries = offsets[i]..<offsets[i + 1]
       let colour e = colours[columns[e]]
       let seen = loop seen for e in entries do seen with [colour e] = seen[colour e] + 1
       let alone = loop alone for e in entries do alone with [e] = seen[colour e] == 1
       let seen = loop seen for e in entries do seen with [colour e] = 0
       in (alone, seen)).0

  -- A Hessian times a vector for each colour of a star colouring.
  #[inline]
  local def by_star [n] [k] (offsets: [n + 1]i64) (columns: [k]i64) (f: [n]R.t -> R.t) (x: [n]R.t)
      : [k]R.t =
    let (count, colours) = colour_star n offsets columns
    let b = jmp (D.grad f) x (seeds count colours)
    in map3 (\here i j -> if here then b[colours[j], i] else b[colours[i], j])
            (alone count colours offsets columns) (csr_rows k offsets) columns

  -- | [k]: the entries of the Hessian in a symmetric pattern, by blocks where index expressions tell
  -- what the terms of f read, else by a star colouring.
  #[inline]
  def hessian_in [n] [k] (offsets: [n + 1]i64) (columns: [k]i64) (f: [n]R.t -> R.t) (x: [n]R.t)
      : [k]R.t =
    let (known, _, _, block_columns, cells, present, entries) = intrinsics.hessian_blocks f x
    in if known then summed_in offsets columns n block_columns block_columns cells present entries
       else by_star offsets columns f x

  -- | Offsets [n+1], columns [k] and entries [k] of the Hessian of f at x, both triangles.
  #[inline]
  def sparse_hessian [n] (f: [n]R.t -> R.t) (x: [n]R.t) : ?[k].([n + 1]i64, [k]i64, [k]R.t) =
    let (known, _, _, columns, cells, present, entries) = intrinsics.hessian_blocks f x
    in if known then summed n n columns columns cells present entries
       else let (offsets, columns) = symmetric_pattern f x
            in if is_symmetric offsets columns
               then (offsets, columns, by_star offsets columns f x)
               else (offsets, columns, jacobian_in offsets columns (D.grad f) x)
}
