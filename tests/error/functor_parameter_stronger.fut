module type S = (P: { val x : i32 }) -> { }
module F (P: { val x : i32 val y : i32 }) = { }
module G : S = F --! does not define a value named "y"
