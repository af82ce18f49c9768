def f r = r.a --! ambiguous
