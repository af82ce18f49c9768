-- A function of too many arguments where a function is expected, and of too few.
def root (p: f64) : f64 =
  with_vjp f64.sqrt (\p r rb -> p * rb / (2 * r)) p --! this is a function of 3 arguments where one of 2 is expected: leave one out
def missing (p: f64) : f64 = f64.sqrt (f64.max p) --! this is a function: an argument is missing.
