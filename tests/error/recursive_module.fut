module m = { def x = m.y } --! Unknown name "m"
