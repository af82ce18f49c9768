def f (x: bool) = -x --! Cannot apply "-" to "x"
