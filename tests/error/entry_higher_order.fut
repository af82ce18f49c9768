entry main (f: i32 -> i32) = f 1 --! may not be higher-order
