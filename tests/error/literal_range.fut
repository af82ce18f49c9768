def f : i8 = 128 --! out of bounds for inferred type i8
