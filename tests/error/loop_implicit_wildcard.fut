def f (n: i32) = loop _ for i < n do 1i32 --! 
