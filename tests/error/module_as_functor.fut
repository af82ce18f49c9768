module type S = (P: {}) -> {}
module m = {}
module n = m : S --! Cannot match non-parametric module with parametric module type
