def f (g: (n: i64) -> (n: i64) -> i64) = g 1 2 --! "n" also bound
