-- Abstract types with sizes must have them; hidden sizes stay below the outermost level.
module type sized = { type t [n] val f [n] : t [n] -> i32 }
module not_array : sized = { type t [n] = [n + 1]i32 def f [n] (_: t [n]) = 1i32 } --! not used constructively

module type hidden = { type~ t val x : t }
module hides : hidden = { type~ t = []i32 def x : t = [1, 2, 3] } --! top-level size
