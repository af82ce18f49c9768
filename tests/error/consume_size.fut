def first (xs: *[]i64) : i64 = xs[0]
def f [n] (ns: *[n]i64) (xs: [first ns]f32) = xs[0] --! Consuming variable "ns"
