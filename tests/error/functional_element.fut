def f = [\(x: i32) -> x] --! functional
