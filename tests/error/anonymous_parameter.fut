type^ t = []i32 -> i32 --! anonymous-nonconstructive
