type t = #pair [2]u8 i32 --! requires 0 arguments, but provided 1
type triple = #triple [2]i32 [2]i32 --! requires 0 arguments, but provided 2
def same (x: triple) = x
