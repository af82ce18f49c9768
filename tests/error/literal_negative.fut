def f : u8 = -1 --! out of bounds
