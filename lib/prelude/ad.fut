-- Derivatives.  Forward mode takes a tangent of the argument, reverse mode a cotangent of the
-- result; the names ending in 2 also give the value of the function.

-- | `jvp2 f x dx` is the value of `f` at `x` and its derivative in the direction `dx`.
#[inline]
def jvp2 'a 'b (f: a -> b) (x: a) (x': a) : (b, b) = intrinsics.jvp2 f x x'

-- | `vjp2 f x s` is the value of `f` at `x` and the gradient of the result weighted by `s`.
#[inline]
def vjp2 'a 'b (f: a -> b) (x: a) (y': b) : (b, a) = intrinsics.vjp2 f x y'

-- | `jvp f x dx` is the derivative of `f` at `x` in the direction `dx` (forward mode).
#[inline]
def jvp 'a 'b (f: a -> b) (x: a) (x': a) : b = (intrinsics.jvp2 f x x').1

-- | `vjp f x s` is the gradient at `x` of the result of `f` weighted by `s` (reverse mode).
#[inline]
def vjp 'a 'b (f: a -> b) (x: a) (y': b) : a = (intrinsics.vjp2 f x y').1

-- | Many tangents at one point.
#[inline]
def jmp 'a 'b [n] (f: a -> b) (x: a) (x': [n]a) : [n]b = intrinsics.map (jvp f x) x'

-- | Many cotangents at one point.
#[inline]
def mjp 'a 'b [n] (f: a -> b) (x: a) (y': [n]b) : [n]a = intrinsics.map (vjp f x) y'

-- | The value, and the derivatives in several directions at once.
#[inline]
def jmp2 'a 'b [n] (f: a -> b) (x: a) (x': [n]a) : (b, [n]b) = (f x, jmp f x x')

-- | The value, and the gradients for several seeds at once.
#[inline]
def mjp2 'a 'b [n] (f: a -> b) (x: a) (y': [n]b) : (b, [n]a) = (f x, mjp f x y')

-- | A function whose reverse derivative is given: f' takes the result and its cotangent.  Forward
-- mode uses the transpose of f'.  Variables that f captures are differentiated as usual.
#[inline]
def with_vjp 'a 'b (f: a -> b) (f': (res: b) -> (b_adj: b) -> a) (x: a) : b =
  intrinsics.with_vjp f f' x

-- | The same, where the function also gives a tape for its derivative to read.  (Written twice, f x is
-- computed once.)
#[inline]
def with_vjp_tape 'a 'b 'c (f: a -> (c, b)) (f': (c, b) -> a) (x: a) : b =
  let (tape, _) = f x
  in intrinsics.with_vjp (\x -> (f x).1) (\_ b_adj -> f' (tape, b_adj)) x
