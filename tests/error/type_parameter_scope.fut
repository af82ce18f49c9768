def f 'a (x: a) = x
def g (x: a) = x --! Unknown type "a"
