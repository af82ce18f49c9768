module type S = { val f 'a 'a : a -> a } --! previously defined
