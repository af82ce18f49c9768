def f = (\(x: i32) -> x) 2 3 --! Function accepts only 1 argument
