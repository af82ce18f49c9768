-- Functions about functions.

-- | Application, argument first.
#[inline]
def (|>) '^a '^b (x: a) (f: a -> b) : b = f x

-- | Application, function first.
#[inline]
def (<|) '^a '^b (f: a -> b) (x: a) = f x

-- | Composition, left to right.
#[inline]
def (>->) '^a '^b '^c (f: a -> b) (g: b -> c) (x: a) : c = g (f x)

-- | Composition, right to left.
#[inline]
def (<-<) '^a '^b '^c (g: b -> c) (f: a -> b) (x: a) : c = g (f x)

-- | Exchange the first two arguments.
#[inline]
def flip '^a '^b '^c (f: a -> b -> c) (b: b) (a: a) : c = f a b

-- | A function of a pair as a function of two arguments.
#[inline]
def curry '^a '^b '^c (f: (a, b) -> c) (a: a) (b: b) : c = f (a, b)

-- | A function of two arguments as a function of a pair.
#[inline]
def uncurry '^a '^b '^c (f: a -> b -> c) (a: a, b: b) : c = f a b

-- | Always the first argument.
#[inline]
def const '^a '^b (x: a) (_: b) : a = x

-- | The argument itself.
#[inline]
def id '^a (x: a) = x

-- | Apply a function a number of times.
#[inline]
def iterate 'a (n: i32) (f: a -> a) (x: a) =
  loop x for _i < n do f x

-- | Apply a function until the predicate holds; it is tested first.
#[inline]
def iterate_until 'a (p: a -> bool) (f: a -> a) (x: a) =
  loop x while !(p x) do f x

-- | Apply a function while the predicate holds; it is tested first.
#[inline]
def iterate_while 'a (p: a -> bool) (f: a -> a) (x: a) =
  loop x while p x do f x
