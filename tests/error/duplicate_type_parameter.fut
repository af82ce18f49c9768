def f 'a 'a (x: a) = x --! "a" also bound
