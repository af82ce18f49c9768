type t = [2]t --! Unknown type "t"
