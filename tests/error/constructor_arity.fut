type s = #a i32 | #b
def f : s = #a --! differ in arity
