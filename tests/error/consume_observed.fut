def f (a: []i32) = a with [0] = 1 --! Consuming variable "a", which is not consumable.
