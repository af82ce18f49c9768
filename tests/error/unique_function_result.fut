-- A function whose result may alias its argument is no function with a unique result.
def same (x: []i32) : []i32 = x

def declared : []i32 -> *[]i32 = same --! differ in uniqueness

def ascribed = (same : []i32 -> *[]i32) --! differ in uniqueness

def bound (xs: []i32) =
  let f: []i32 -> *[]i32 = same --! differ in uniqueness
  in f xs

def fine : []i32 -> *[]i32 = \x -> copy x
