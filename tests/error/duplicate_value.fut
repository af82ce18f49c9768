def f = 1i32
def f = 2i32 --! Duplicate definition of value "f"
