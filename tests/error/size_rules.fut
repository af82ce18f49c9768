-- What sizes may not be.
def positive (x: i32) = x > 0
def chosen [n] (g: [n]i32 -> i32) = n

def ambiguous = chosen (\ys -> ys[0]) --! Ambiguous size
def causal xs = length <| filter positive xs --! Causality check
def inner (n: i64, m: i64) (a: [n]u8) = a --! not accessible to
def result (n: i64, m: i64) : [n]u8 = replicate n 0 --! bound to
def growing (a: []i32) = loop b = a for i < 3 do zip b a |> map (.0) |> map (+ i) |> filter positive --! Loop
def only_parameter (xs: []i32) = zip xs (filter positive xs) --! Unknown size
def binding (x: i32) : [let k = 2 in k]i32 = replicate 2 x --! Size expression with binding
def polymorphic [n] : ([n]i32, []i32) = (replicate n 1, filter positive [1]) --! size-polymorphic
