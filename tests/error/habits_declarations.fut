-- Declarations of other languages.
struct point { x: f64, y: f64 } --! "type t = {x: f64}"
open "lib/ad" --! opened by "import"
let outermost = 3 in 4 --! declarations: "def y = let x = 3 in x"
type cases = A | B --! begin with "#"
