def pair n = let a = iota n in (a, a)
def f n =
  let (a, b) = pair n
  let a[0] = 0
  in (a, b) --! Using result of applying "pair"
