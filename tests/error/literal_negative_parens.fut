-- A sign and a literal in parentheses are not one number.
def least : i32 = -(2147483648) --! Literal 2147483648 out of bounds
