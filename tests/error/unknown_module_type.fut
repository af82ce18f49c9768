module m : S = { } --! Unknown module type "S"
