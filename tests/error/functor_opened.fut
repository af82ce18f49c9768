module F (P: {}) = { }
open F --! Cannot have parametric module here
