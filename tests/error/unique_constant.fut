def c : *[]i32 = [1, 2] --! unique
