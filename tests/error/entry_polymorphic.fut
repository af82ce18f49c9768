entry main 'a (x: a) = x --! may not be polymorphic
