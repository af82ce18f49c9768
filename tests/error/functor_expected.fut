module m = { }
module a = m { } --! Cannot apply non-parametric module
