-- A cell of long short-term memory with 8 inputs and 16 units, over n steps: a loop of small dense layers.
-- size: 200
entry data (n: i64) : ([4][16][24]f64, [4][16]f64, [][8]f64) =
  let at i = f64.sin (f64.i64 i * 12.9898) * 0.3
  in (tabulate_3d 4 16 24 (\i j k -> at (i * 384 + j * 24 + k)), tabulate_2d 4 16 (\i j -> at (i + j)),
      tabulate_2d n 8 (\i j -> at (3 * i + j)))

def sigmoid (x: f64) = 1 / (1 + f64.exp (-x))
def loss [n] (w: [4][16][24]f64) (b: [4][16]f64) (xs: [n][8]f64) =
  let step (h: [16]f64, c: [16]f64) (x: [8]f64) =
    let z = x ++ h :> [24]f64
    let gate k = map2 (\row b -> f64.sum (map2 (*) row z) + b) w[k] b[k]
    let c = map4 (\i f g c -> sigmoid i * f64.tanh g + sigmoid f * c) (gate 0) (gate 1) (gate 2) c
    in (map2 (\o c -> sigmoid o * f64.tanh c) (gate 3) c, c)
  let (h, _) = loop s = (replicate 16 0, replicate 16 0) for i < n do step s xs[i]
  in f64.sum (map (\x -> x * x) h)
entry value [n] (w: [4][16][24]f64) (b: [4][16]f64) (xs: [n][8]f64) : f64 = loss w b xs
entry gradient [n] (w: [4][16][24]f64) (b: [4][16]f64) (xs: [n][8]f64)
    : ([4][16][24]f64, [4][16]f64) =
  vjp (\(w, b) -> loss w b xs) (w, b) 1
