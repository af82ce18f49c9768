-- Reductions and histograms whose operator can be undone.
--
-- The derivative for an element needs what all others give together.  Any operator takes a scan from
-- either side for that; where `undo (op x y) y` is x, the result and the element tell it.  The rule,
-- for a result y with adjoint dy:  dx = vjp (\x -> op (undo y x) x) with the first operand constant.
-- #[exact]: forward mode, and reverse mode where op captures what varies, go without the rule.

-- | `reduce_comm op ne xs`, for an operator with an inverse: `undo (op x y) y` is x.  The derivative
-- is as exact as that, so a product, say, needs elements that are not zero.  The operator's free
-- variables are differentiated too.
def reduce_invertible 'a [n] (op: a -> a -> a) (undo: a -> a -> a) (ne: a) (xs: [n]a) : a =
  #[exact]
  with_vjp_tape (\(xs: [n]a) -> let y = reduce_comm op ne xs in ((y, xs), y))
    (\((y, xs), dy) -> map (\x -> vjp (op (undo y x)) x dy) xs)
    xs

-- | `hist op ne k is xs`, for an operator with an inverse, as `reduce_invertible`.
def hist_invertible 'a [n]
    (op: a -> a -> a) (undo: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (xs: [n]a) : [k]a =
  let element (ys: [k]a) (dys: [k]a) i x =
    if 0 <= i && i < k then vjp (op (undo ys[i] x)) x dys[i] else vjp (\_ -> ne) x ne
  in #[exact] with_vjp_tape (\(xs: [n]a) -> let ys = hist op ne k is xs in ((copy ys, xs), ys))
    (\((ys, xs), dys) -> map2 (element ys dys) is xs)
    xs
