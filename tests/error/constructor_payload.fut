type s = #a i32 | #b
def f : s = #a true --! constructor "a"
