-- A recursive function has one type inside.  Functions are chosen neither by if nor kept in loops.
def recursive (n: i32) = if n > 0 then recursive true else n --! Recursive uses of "recursive"
def kept (n: i32) (f: i32 -> i32) = (loop g = f for i < n do g) 1 --! function type
