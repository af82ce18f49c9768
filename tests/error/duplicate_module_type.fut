module type S = {}
module type S = {} --! Duplicate definition of module type "S"
