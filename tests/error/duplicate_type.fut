type t = i32
type t = i64 --! Duplicate definition of type "t"
