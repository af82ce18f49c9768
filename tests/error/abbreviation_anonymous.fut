type t = []i32 --! may not use existential sizes
