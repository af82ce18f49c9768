type t = ?[n].[n]i32 --! may not use existential sizes
