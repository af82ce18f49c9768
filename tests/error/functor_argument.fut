module F (P: { val x : i32 }) = { }
module a = F { def y = 1i32 } --! does not define a value named "x"
