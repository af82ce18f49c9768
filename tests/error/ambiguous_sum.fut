def f = #a 1i32 --! Type is ambiguous
