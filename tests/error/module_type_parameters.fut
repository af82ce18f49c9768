module m : { type t 'a } = { type t = i32 } --! Module defines
