type t = #a i32 | #a --! Duplicate constructors
