def f (xs: []i32) (i: i32) = xs[i:] --! Slice component
