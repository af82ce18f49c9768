def f (x: i32) = match x case 1 -> 1i32 --! Unmatched cases
