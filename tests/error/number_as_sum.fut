type s = #a | #b
def f : s = 1 --! sum type
