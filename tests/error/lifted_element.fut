def f '^a (x: a) = [x] --! is lifted
