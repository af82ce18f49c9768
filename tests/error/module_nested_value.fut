module type S = { module n : { val x : bool } }
module m : S = { module n = { def x = 1i32 } } --! n.x
