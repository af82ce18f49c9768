def u (xs: *[]i32) (i: i32) : []i32 = xs with [0] = i
def f (xs: *[]i32) (is: []i32) = map (u xs) is --! (#consuming-argument)
