def c = [1, 2]
def f () = c --! Function result aliases the free variable "c".
