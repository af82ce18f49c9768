type t = {a: i32, a: i32} --! Duplicate record fields
