def f [n] [n] (x: [n]i32) = x --! "n" also bound
