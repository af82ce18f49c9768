type t = #pair [2]u8 i32 --! requires 0 arguments, but provided 1
