def f (xs: []i32) = map (\x y -> x + y) xs --! functional
