-- Vectors and matrices as functions of their indices: the vocabulary of the language F~ (Shaikhha,
-- Fitzgibbon, Vytiniotis and Peyton Jones, "Efficient differentiable programming in a functional
-- array-processing language", 2019), over `tabulate` and sums.  Programs in it are what
-- lib/ad/calculus differentiates best: every array is given element by element.

-- | Linear algebra over one type of floats: vectors in `vec`, matrices in `mat`.
module mk_linalg_tilde (R: float) = {
  local def zero = R.i64 0
  local def one = R.i64 1

  -- | Vectors.
  module vec = {
    -- | The numbers from s to e - 1.
    #[inline]
    def range (s: i64) (e: i64) : []R.t = tabulate (i64.max 0 (e - s)) (\i -> R.i64 (s + i))

    -- | n times x.
    #[inline]
    def fill (n: i64) (x: R.t) : [n]R.t = tabulate n (\_ -> x)

    -- | 1 at i, 0 elsewhere.
    #[inline]
    def hot (n: i64) (i: i64) : [n]R.t = tabulate n (\j -> if i == j then one else zero)

    -- | f of every element.
    #[inline]
    def map 'a [n] (f: a -> R.t) (v: [n]a) : [n]R.t = tabulate n (\i -> f v[i])

    -- | f of every two elements.
    #[inline]
    def map2 [n] (f: R.t -> R.t -> R.t) (a: [n]R.t) (b: [n]R.t) : [n]R.t =
      tabulate n (\i -> f a[i] b[i])

    -- | Pairs of elements.
    #[inline]
    def zip [n] (a: [n]R.t) (b: [n]R.t) : [n](R.t, R.t) = tabulate n (\i -> (a[i], b[i]))

    -- | Elementwise sum.
    #[inline]
    def add [n] (a: [n]R.t) (b: [n]R.t) : [n]R.t = map2 (R.+) a b

    -- | Elementwise product.
    #[inline]
    def emul [n] (a: [n]R.t) (b: [n]R.t) : [n]R.t = map2 (R.*) a b

    -- | A number times a vector.
    #[inline]
    def smul [n] (s: R.t) (v: [n]R.t) : [n]R.t = tabulate n (\i -> s R.* v[i])

    -- | The sum of the elements.
    #[inline]
    def sum [n] (v: [n]R.t) : R.t = R.sum v

    -- | The scalar product.
    #[inline]
    def dot [n] (a: [n]R.t) (b: [n]R.t) : R.t = sum (emul a b)

    -- | The Euclidean norm.
    #[inline]
    def norm [n] (v: [n]R.t) : R.t = R.sqrt (dot v v)

    -- | Elements s to e - 1.
    #[inline]
    def slice [n] (v: [n]R.t) (s: i64) (e: i64) : [e - s]R.t = tabulate (e - s) (\i -> v[s + i])

    -- | The matrix of one row.
    #[inline]
    def toMatrix [n] (v: [n]R.t) : [1][n]R.t = tabulate_2d 1 n (\_ j -> v[j])

    -- | All products of an element of the one and one of the other.
    #[inline]
    def outProd [n] [m] (a: [n]R.t) (b: [m]R.t) : [n][m]R.t =
      tabulate_2d n m (\i j -> a[i] R.* b[j])
  }

  -- | Matrices.
  module mat = {
    -- | The number of rows.
    def rows [n] [m] (_: [n][m]R.t) : i64 = n

    -- | The number of columns.
    def cols [n] [m] (_: [n][m]R.t) : i64 = m

    -- | The matrix of zeros.
    #[inline]
    def zeros (n: i64) (m: i64) : [n][m]R.t = tabulate_2d n m (\_ _ -> zero)

    -- | The matrix of ones.
    #[inline]
    def ones (n: i64) (m: i64) : [n][m]R.t = tabulate_2d n m (\_ _ -> one)

    -- | The identity matrix.
    #[inline]
    def eye (n: i64) : [n][n]R.t = tabulate_2d n n (\i j -> if i == j then one else zero)

    -- | 1 in row i, column k, 0 elsewhere.
    #[inline]
    def hot (n: i64) (m: i64) (i: i64) (k: i64) : [n][m]R.t =
      tabulate_2d n m (\r c -> if i == r && k == c then one else zero)

    -- | f of every element.
    #[inline]
    def map [n] [m] (f: R.t -> R.t) (a: [n][m]R.t) : [n][m]R.t =
      tabulate_2d n m (\i j -> f a[i, j])

    -- | f of every two elements.
    #[inline]
    def map2 [n] [m] (f: R.t -> R.t -> R.t) (a: [n][m]R.t) (b: [n][m]R.t) : [n][m]R.t =
      tabulate_2d n m (\i j -> f a[i, j] b[i, j])

    -- | Elementwise sum.
    #[inline]
    def add [n] [m] (a: [n][m]R.t) (b: [n][m]R.t) : [n][m]R.t = map2 (R.+) a b

    -- | Rows and columns exchanged.
    #[inline]
    def transpose [n] [m] (a: [n][m]R.t) : [m][n]R.t = tabulate_2d m n (\i j -> a[j, i])

    -- | The matrix product.
    #[inline]
    def mul [n] [k] [m] (a: [n][k]R.t) (b: [k][m]R.t) : [n][m]R.t =
      tabulate_2d n m (\i j -> R.sum (tabulate k (\l -> a[i, l] R.* b[l, j])))

    -- | The sum of the diagonal.
    #[inline]
    def trace [n] (a: [n][n]R.t) : R.t = R.sum (tabulate n (\i -> a[i, i]))
  }
}
