module type S = (P: {}) -> {}
module type T = { include S } --! Cannot have parametric module here
