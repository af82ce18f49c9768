-- The existential size of a declared function type is not the parameter of a lambda.
def declared : i64 -> []i64 = \n -> iota n --! scope-violation

def named : (m: i64) -> [m]i64 = \n -> iota n
def global (n: i64) = iota n
def instance : i64 -> []i64 = global
def apply (f: i64 -> []i64) = f 3
def argument = apply (\n -> iota n)
def unknown : i64 -> []i64 = \n -> filter (> 0) (iota n)
