module m : { module n : { } } = { } --! does not define a module named "n"
