type pair 'a = (a, a)
def f (x: pair) = x --! "pair"
