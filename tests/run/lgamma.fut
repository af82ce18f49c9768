-- Here and not in tests/ad, since `dagaz derive` has no text for polygamma.
-- ==
-- entry: lgamma_orders
-- input { 2.5 } output { 0.22390584881725206 -0.31375599950673139 0.57856917856718348 }
-- input { -0.75 } output { 1557.7451069721515 -24483.239586168798 492226.75245080888 }
-- ==
-- entry: gamma_fourth
-- input { 1.5 } output { 3.47148861707092 }

-- The derivatives of lgamma of order 4 (mixed modes), 5 (forward) and 6 (reverse).
def forward (f: f64 -> f64) (x: f64) = jvp f x 1
def backward (f: f64 -> f64) (x: f64) = vjp f x 1
entry lgamma_orders (x: f64) =
  ( forward (backward (forward (backward f64.lgamma))) x
  , forward (forward (forward (forward (forward f64.lgamma)))) x
  , backward (backward (backward (backward (backward (backward f64.lgamma))))) x )
entry gamma_fourth (x: f64) = forward (backward (backward (forward f64.gamma))) x
