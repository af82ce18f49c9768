def m = 1i32
module m = {} --! Duplicate definition
