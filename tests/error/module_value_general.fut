module m : { val f 'a : a -> a } = { def f (x: i32) = x } --! but module provides
