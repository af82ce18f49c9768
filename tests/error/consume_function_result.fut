def c (f: () -> *[]i32) : *[]i32 = f () with [0] = 1
def f (x: []i32) =
  let g () = x
  in c g --! Cannot apply "c" to "g" (invalid type).
