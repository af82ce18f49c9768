-- Types are written out: what doubles ends somewhere.
type t0 = (i32, i32)
type t1 = (t0, t0, t0, t0)
type t2 = (t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1, t1)
type t3 = (t2, t2, t2, t2, t2, t2, t2, t2, t2, t2, t2, t2, t2, t2, t2, t2)
type t4 = (t3, t3, t3, t3, t3, t3, t3, t3, t3, t3, t3, t3, t3, t3, t3, t3)
type t5 = (t4, t4, t4, t4, t4, t4, t4, t4, t4, t4, t4, t4, t4, t4, t4, t4) --! more than 100000 parts
def twice 'a (x: a) = ((x, x), (x, x))
def often 'a (x: a) = twice (twice (twice x))
entry main (x: i32) = (often (often (often x))).0.0 --! more than 100000 parts
