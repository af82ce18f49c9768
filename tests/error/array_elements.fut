def f = [1i32, true] --! Cannot unify
