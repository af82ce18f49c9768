-- The size of a function's result that its argument tells is known, also where the parameter's type
-- leaves it open.
-- ==
-- entry: observed consumed curried chosen
-- input { [1, 2] } output { [1, 2, 7] }

def app (f: []i32 -> []i32) (x: []i32) = f x
def app_consuming (f: *[]i32 -> *[]i32) (x: []i32) = f (copy x)
def app_curried (f: []i32 -> i32 -> []i32) (x: []i32) = f x 7
def same (xs: []i32) : []i32 = xs
def first (xs: *[]i32) : *[]i32 = xs with [0] = 1
def keep (xs: []i32) (_: i32) : []i32 = xs

entry observed (xs: []i32) = app same xs ++ [7]
entry consumed (xs: []i32) = app_consuming first xs ++ [7]
entry curried (xs: []i32) = app_curried keep xs ++ [7]
entry chosen (xs: []i32) = app (filter (> 0)) (app id xs) ++ [7]
