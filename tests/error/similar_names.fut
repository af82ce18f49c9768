-- Suggestions of names that are meant.
type pair = {name: i32, size: f32}
module counter = { def increment (x: i32) = x + 1 type count = i32 }
module type shape = { type t }

def length_of xs = lenght xs --! Unknown name "lenght"
def field (q: pair) = q.nmae --! no field "nmae"
def member x = counter.incremnet x --! Unknown name "counter.incremnet"
def its_type (x: counter.cuont) = x --! Unknown type "counter.cuont"
def its_module x = conuter.increment x --! Unknown name "conuter"
def foreign (x: double) = x --! Unknown type "double"
def converted (x: i32) = f32 x --! Unknown name "f32"
module square : shpae = { type t = f32 } --! Unknown module type "shpae"
def constructor (s: #circle i32 | #line) = match s case #cirlce x -> x case #line -> 1 --! #cirlce
