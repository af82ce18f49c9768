def f (x: [3]i32) = x :> [3]f32 --! coercion
