def f (r: {a: i32, c: i32}) : {a: i32, d: i32} = r --! unshared fields: c, d.
