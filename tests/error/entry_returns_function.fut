entry main (x: i32) = \(f: i32 -> i32) -> f x --! may not be higher-order
