-- | A small neural network trained by gradient descent on minibatches, and the derivative of what it
-- has learnt, after all steps of training, in the learning rate: reverse mode through a loop whose
-- body is itself a gradient.

type net = {w1: [8][3]f64, b1: [8]f64, w2: [8]f64, b2: f64}

def predict (p: net) (x: [3]f64) : f64 =
  let hidden = map2 (\w b -> f64.tanh (f64.sum (map2 (*) w x) + b)) p.w1 p.b1
  in f64.sum (map2 (*) p.w2 hidden) + p.b2

def loss [n] (xs: [n][3]f64) (ys: [n]f64) (p: net) : f64 =
  f64.sum (map2 (\x y -> (predict p x - y) ** 2) xs ys) / f64.i64 n

def descend (rate: f64) (p: net) (g: net) : net =
  let step a b = a - rate * b
  in {w1 = map2 (map2 step) p.w1 g.w1
     , b1 = map2 step p.b1 g.b1
     , w2 = map2 step p.w2 g.w2
     , b2 = step p.b2 g.b2
     }

def start : net =
  {w1 = tabulate_2d 8 3 (\i j -> 0.5 * f64.sin (f64.i64 (3 * i + j)))
  , b1 = replicate 8 0
  , w2 = tabulate 8 (\j -> 0.3 * f64.cos (f64.i64 j))
  , b2 = 0
  }

def inputs =
  tabulate 64 (\i -> [f64.sin (f64.i64 i), f64.cos (1.7 * f64.i64 i), f64.sin (0.3 * f64.i64 (i * i))])

def outputs = map (\x -> x[0] * x[1] - x[2]) inputs

-- | The loss on all data after so many steps on batches of 16.
def trained (steps: i64) (rate: f64) : f64 =
  let p =
    loop p = start for s < steps do
      let at = s % 4 * 16
      let batch = loss (inputs[at:at + 16] :> [16][3]f64) (outputs[at:at + 16] :> [16]f64)
      in descend rate p (vjp batch p 1)
  in loss inputs outputs p

-- ==
-- entry: value
-- input { 5i64 0.1 }
-- output { 0.35293649804561394f64 }
entry value (steps: i64) (rate: f64) : f64 = trained steps rate

-- ==
-- entry: derivative
-- input { 5i64 0.1 }
-- output { -1.3318892056265612f64 }
entry derivative (steps: i64) (rate: f64) : f64 = vjp (trained steps) rate 1

-- | Forward mode and a difference find the same; more training, less loss.
-- ==
-- entry: agrees
-- input { 8i64 0.1 } output { true true true }
entry agrees (steps: i64) (rate: f64) : (bool, bool, bool) =
  let d = vjp (trained steps) rate 1
  let difference = (trained steps (rate + 1e-5) - trained steps (rate - 1e-5)) / 2e-5
  in (f64.abs (d - jvp (trained steps) rate 1) < 1e-10
        , f64.abs (d - difference) < 1e-6
        , trained 40 rate < 0.7 * trained 0 rate
     )
