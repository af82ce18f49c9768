module type S = { val x : i32 }
module F (P: {}) = { def x = 1i32 }
module m = F : S --! Cannot match parametric module with non-parametric module type
