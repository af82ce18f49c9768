-- Patterns of matrices in compressed rows, and their colourings: columns of one colour share a
-- direction.  The entries of row i are columns[offsets[i]] .. columns[offsets[i+1]-1].

-- | The row of every entry.
#[noinline]
def csr_rows [m1] (k: i64) (offsets: [m1]i64) : [k]i64 =
  let starts = reduce_by_index (replicate (k + 1) 0) (+) 0 offsets (replicate m1 1)
  in map (\s -> s - 1) (scan (+) 0 starts[:k])

-- | Where each of the rows begins, given the row of every entry in order.
def csr_offsets [k] (rows: i64) (row: [k]i64) : [rows + 1]i64 =
  let count = reduce_by_index (replicate rows 0) (+) 0 row (replicate k 1)
  in ([0] ++ scan (+) 0 count) :> [rows + 1]i64

-- | How many entries each row has.
def csr_lengths [m1] (offsets: [m1]i64) : [m1 - 1]i64 =
  tabulate (m1 - 1) (\i -> offsets[i + 1] - offsets[i])

-- | The pattern of the transpose, which has n rows.
#[noinline]
def csr_transpose [m1] [k] (n: i64) (offsets: [m1]i64) (columns: [k]i64) : ([n + 1]i64, [k]i64) =
  let out = csr_offsets n columns
  let rows = csr_rows k offsets
  let (_, placed) =
    loop (next, placed) = (copy out, replicate k 0) for e < k do
      let c = columns[e]
      let at = next[c]
      let placed[at] = rows[e]
      let next[c] = at + 1
      in (next, placed)
  in (out, placed)

-- | The entries that are kept; as many rows as before.
#[noinline]
def csr_filter [m1] [k] (keep: [k]bool) (offsets: [m1]i64) (columns: [k]i64)
    : ?[k'].([m1]i64, [k']i64) =
  let before = [0] ++ scan (+) 0 (map i64.bool keep)
  in (map (\o -> before[o]) offsets, map (.1) (filter (.0) (zip keep columns)))

-- | The rows that are kept, the others emptied.
#[noinline]
def csr_filter_rows [m] [m1] [k] (keep: [m]bool) (offsets: [m1]i64) (columns: [k]i64)
    : ?[k'].([m1]i64, [k']i64) =
  csr_filter (map (\i -> keep[i]) (csr_rows k offsets)) offsets columns

-- | The rows that are marked, the p-th of them with the columns whose sets[p / 64] have bit p % 64, and the
-- others as they are.
#[noinline]
def csr_with_bits [m1] [m] [k] [s] [n] (marked: [m]bool) (sets: [s][n]u64) (offsets: [m1]i64)
    (columns: [k]i64) : ?[k'].([m1]i64, [k']i64) =
  let before = [0] ++ scan (+) 0 (map i64.bool marked)
  let has r j = (sets[before[r] / 64, j] >> u64.i64 (before[r] % 64)) & 1 == 1
  let size r = if marked[r] then i64.sum (map (\j -> i64.bool (has r j)) (iota n))
               else offsets[r + 1] - offsets[r]
  let out = [0] ++ scan (+) 0 (map size (iota m))
  let filled =
    loop filled = replicate out[m] 0 for r < m do
      if marked[r]
      then (loop (filled, at) = (filled, out[r]) for j < n do
              if has r j then (filled with [at] = j, at + 1) else (filled, at)).0
      else filled with [out[r]:out[r + 1]] = copy columns[offsets[r]:offsets[r + 1]]
  in (out :> [m1]i64, filled)

-- | The rows that distinguish columns, the others emptied: those of several entries, and of equal ones
-- in sequence the first.
#[noinline]
def csr_telling [m1] [k] (offsets: [m1]i64) (columns: [k]i64) : ?[k'].([m1]i64, [k']i64) =
  let like_last i =
    let (from, size) = (offsets[i], offsets[i + 1] - offsets[i])
    let before = offsets[i] - size
    in i > 0 && before == offsets[i - 1]
       && (loop e = 0 while e < size && columns[from + e] == columns[before + e] do e + 1) == size
  let telling = tabulate (m1 - 1) (\i -> offsets[i + 1] - offsets[i] > 1 && !(like_last i))
  in csr_filter_rows telling offsets columns

-- | A length t, for which a t and b for each that is longer make the least sum; and the sum.
#[noinline]
def cutoff [n] (a: i64) (b: i64) (lengths: [n]i64) : (i64, i64) =
  let longest = i64.maximum ([0] ++ lengths)
  let count = reduce_by_index (replicate (longest + 1) 0) (+) 0 lengths (replicate n 1)
  let costs = map2 (\t most -> a * t + b * (n - most)) (iota (longest + 1)) (scan (+) 0 count)
  in reduce_comm (\(t, c) (u, d) -> if d < c || d == c && u > t then (u, d) else (t, c))
                 (longest, a * longest) (zip (iota (longest + 1)) costs)

-- The first colour that is not marked with v.
local def first_free [c] (marks: [c]i64) (v: i64) : i64 =
  loop i = 0 while marks[i] == v do i + 1

-- | Colours for n columns such that no row has two entries of one colour, greedily; how many, and
-- the colour of each.
#[noinline]
def colour_columns [m1] [k] (n: i64) (offsets: [m1]i64) (columns: [k]i64) : (i64, [n]i64) =
  let (offsets, columns) = csr_telling offsets columns
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
-- the colour of i.  Vertices of many neighbours have a colour of their own, so that no path through
-- them has two; so do all where looking at the paths would take longer than a direction for each.
#[noinline]
def colour_star [n1] [k] (n: i64) (offsets: [n1]i64) (columns: [k]i64) : (i64, [n]i64) =
  let own = -2
  let lengths = csr_lengths offsets :> [n]i64
  let most =
    let (most, _) = cutoff 1 1 lengths
    let steps = most * i64.sum (map (\l -> if l > most then 0 else l * l) lengths)
    in if steps > 16 * n * k then -1 else most
  let has_two colours x w =
    any (\e -> columns[e] != w && columns[e] != x && colours[columns[e]] == colours[w])
        (offsets[x]..<offsets[x + 1])
  let (colours, _) =
    loop (colours, marks) = (map (\l -> if l > most then own else -1) lengths,
                             replicate (n + 1) (-1)) for v < n do
      let marks =
        loop marks for e in (if colours[v] == own then 0..<0 else offsets[v]..<offsets[v + 1]) do
          let w = columns[e]
          let marks = if w != v && colours[w] >= 0 then marks with [colours[w]] = v else marks
          in if w == v || colours[w] == own then marks
             else loop marks for d in offsets[w]..<offsets[w + 1] do
                    let x = columns[d]
                    in if x == v || x == w || colours[x] < 0 then marks
                       else if colours[w] < 0 || has_two colours x w
                       then marks with [colours[x]] = v
                       else marks
      let colours[v] = if colours[v] == own then own else first_free marks v
      in (colours, marks)
  let shared = 1 + i64.maximum ([-1] ++ colours)
  let before = scan (+) 0 (map (\c -> i64.bool (c == own)) colours)
  in (shared + i64.sum (map (\c -> i64.bool (c == own)) colours),
      map2 (\c own_ones -> if c == own then shared + own_ones - 1 else c) colours before)
