type~ t = []i32
type u = (t, i32) --! may not contain size-lifted
