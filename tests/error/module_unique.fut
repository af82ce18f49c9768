-- What a module type says of uniqueness, and what holds.
module type some = { val f [n] : *[n]i32 -> [n]i32 -> *([n]i32, [n]i32) }
module fresh: some = { def f [n] (a: *[n]i32) (b: [n]i32) : (*[n]i32, [n]i32) = (a, map (+ 1) b) }
module kept: some = { def f [n] (a: *[n]i32) (b: [n]i32) : (*[n]i32, [n]i32) = (a, b) } --! differ in uniqueness
module silent: some = { def f [n] (a: [n]i32) (_: [n]i32) : ([n]i32, [n]i32) = (copy a, copy a) } --! differ in uniqueness
