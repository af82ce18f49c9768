-- warning
def f x y = x + y --! Defaulting ambiguous type to i32.
