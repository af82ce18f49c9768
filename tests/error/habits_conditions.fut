-- Words that join conditions elsewhere.
def both (x: f64) (y: f64) = x == y and y == x --! joined with "&&"
def either (x: f64) (y: f64) = x == y or y == x --! joined with "||"
