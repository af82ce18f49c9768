def f [n] (n: [n]i32) = n --! "n" also bound
