type s = #a | #b
def f : s = #c --! Unshared constructors: #c
