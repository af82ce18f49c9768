def f (r: {a: {b: i32}}) : {a: {b: bool}} = r --! record field "b"
