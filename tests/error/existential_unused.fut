def f (g: ?[n].i32 -> [n]i32) = g 1 --! Existential size "n" not used as array size
