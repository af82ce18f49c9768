def f x = x x --! Occurs check
