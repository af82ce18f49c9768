module type S = { val f : []i32 -> i32 } --! non-anonymous sizes
