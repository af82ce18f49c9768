module F (P: {}) (P: {}) = {} --! "P" also bound
