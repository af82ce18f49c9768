def f (x: []i32) : *[]i32 = x --! aliased to "x", which is not consumable
