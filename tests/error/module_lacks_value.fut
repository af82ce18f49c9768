module m : { val x : i32 } = { } --! does not define a value named "x"
