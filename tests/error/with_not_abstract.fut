module type S = { type t = i32 }
module type T = S with t = i64 --! is not an abstract type in the module type
