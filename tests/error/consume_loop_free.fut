def f (xs: *[]i32) = loop a = xs for i < 9 do a with [i] = xs[i] --! Loop body uses "xs"
