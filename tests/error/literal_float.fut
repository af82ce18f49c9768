def f : f32 = 1e39 --! out of bounds
