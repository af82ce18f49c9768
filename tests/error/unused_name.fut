-- warning: names bound and never used; a leading underscore says that it is meant.
def f (x: i32) --! Unused name "x"
      (_y: i32) = 3i32

def g (a, b) = a + 1i32 --! write "_b" if that is meant

def h {p, q} : i32 = p --! write "q = _" if that is meant

def sizes (n: i64) (xs: [n]i32) = xs

def locals (x: i32) (ys: []f64) =
  let z = 3i32 --! Unused name "z"
  let (u, _) = (x, 2i32)
  let twice a = 2i32 * a --! Unused name "twice"
  let lam = \p q -> p + u --! Unused name "q"
  let r = match x case 0 -> 1i32 case w -> 2 --! Unused name "w"
  let acc = loop s = 0i32 for i < 10i32 do s + r --! Unused name "i"
  in lam acc (length ys)

module functor (P: {type t}) = { type t = P.t }
module careless (Q: {type t}) = { def e = 1i32 } --! Unused name "Q"

type t [n] = [n]i32
def inner = let unseen 't (x: t) = x in 1i32 --! Unused name "unseen"
def shadowed = let x = 1i32 let x = x + 1 in x
