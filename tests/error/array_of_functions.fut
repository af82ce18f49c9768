type t = [2](i32 -> i32) --! Cannot create array with elements of lifted type "i32 -> i32" (might contain function)
