def f 'a (x: a) = x == x --! does not support equality
