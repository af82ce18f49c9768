module m : { type t = bool } = { type t = i32 } --! Module defines
