module m : { val x : bool } = { def x = 1i32 } --! Module type specifies
