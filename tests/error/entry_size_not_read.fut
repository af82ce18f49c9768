entry main [n] (x: [n + 1]i32) = x[0] --! non-constructively
