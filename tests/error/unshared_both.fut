def f (x: #a | #c) : (#a | #d) = x --! Unshared constructors: #c, #d.
