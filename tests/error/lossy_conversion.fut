-- A conversion that loses something is not suggested without the loss.
def count (n: i64) = n
def fraction (x: f64) = count x --! "i64.f64 x" drops the fraction
def narrow (n: i64) = iterate n (+ 1) 0i32 --! "i32.i64 n" keeps the low bits only
def signed (n: i32) : u64 = n --! "u64.i32 n" makes negative numbers large
def rounded (x: f64) : f32 = x --! "f32.f64 x" rounds
