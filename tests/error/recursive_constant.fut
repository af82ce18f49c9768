def c : i32 = c + 1 --! Unknown name "c"
