def f (b: bool) (xs: [b]i32) = xs --! bool
