def f x = y --! Unknown name "y"
