module m: {val f [n]: [n]i32 -> *[n]i32} = { --! The types differ in uniqueness
  def f [n] (x: [n]i32) : [n]i32 = x
}
