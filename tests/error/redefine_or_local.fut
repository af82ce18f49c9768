def f (x: bool) = let (||) = \(a: bool) (b: bool) -> a in x --! may-not-be-redefined
