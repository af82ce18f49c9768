def f (xs: *[]i32) = loop a = xs for x in xs do a with [0] = x --! Loop body uses variable "xs"
