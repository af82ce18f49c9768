def f (r: {_x: i32}) = let {_x} = r in 1i32 --! _x=_
