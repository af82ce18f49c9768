-- Results of a loop that may both be what one parameter was share memory, named or not.
def passed [n] (xs: [n]f64) =
  let (p, q) = loop (a, b) = (copy xs, copy xs) for _i < 3 do (b, b)
  let r = q with [0] = 1
  in f64.sum p + f64.sum r --! Using result of loop

def handed_on [n] (xs: [n]f64) =
  let (p, q) = loop (a, b) = (copy xs, copy xs) for _i < 3 do (b, map2 (+) a b)
  let r = q with [0] = 1
  in f64.sum p + f64.sum r --! Using result of loop
