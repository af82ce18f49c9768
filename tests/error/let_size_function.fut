def f = let [n] (g: [n]bool -> bool) = (\(_: [10]bool) -> true) in n --! Cannot bind [n]
