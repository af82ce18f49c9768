def f (xs: []i32) (i: u8) = xs[i] --! Index
