def f [n] (a: *[n][n]i32) = a with [0] = a[1] --! Source array for in-place update
