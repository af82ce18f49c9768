module m = {
  entry f (x: i32) = x --! Entry points may not be declared inside modules
}
