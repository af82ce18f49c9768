module type S = {
  val x : i32
  val x : i32 --! Duplicate definition of "x"
}
