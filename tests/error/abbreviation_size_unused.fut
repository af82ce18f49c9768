type t [n] = i32 --! Size parameter "[n]" unused
