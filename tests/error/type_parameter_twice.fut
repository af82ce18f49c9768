type pair 'a 'a = (a, a) --! previously defined
