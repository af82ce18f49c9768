-- warning
def f [n] (_: [n]i32) = (??? : [n]i32) --! Hole of type: [n]i32
