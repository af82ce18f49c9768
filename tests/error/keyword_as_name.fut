-- A word of the language as a name: the message says so.
def val (x: f64) = x --! "val" is a word of the language; take another name.
def parameter (in: f64) = 1 --! "in" is a word of the language; take another name.
def local_name (x: f64) = let type = x in x --! "type" is a word of the language; take another name.
