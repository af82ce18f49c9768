type~ t = []i32
type u = [2]t --! size-lifted type "t" (might cause irregular array)
