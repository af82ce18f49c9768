module type S = { type t 'a }
module type T = S with t = i64 --! Cannot refine a type
