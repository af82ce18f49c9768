def f (xs: *[]i64) = scatter xs xs xs --! Argument is consumed, but aliases
