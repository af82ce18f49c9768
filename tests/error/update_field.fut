def f (r: {f: i32}) = r with f = true --! record field "f"
