-- A damped pendulum, by steps of Runge and Kutta: its angle at time 6 as a function of the start.
def slope (damping: f64) (angle: f64, speed: f64) : (f64, f64) =
  (speed, -damping * speed - f64.sin angle)

def step (damping: f64) (h: f64) (a: f64, v: f64) : (f64, f64) =
  let (k1, l1) = slope damping (a, v)
  let (k2, l2) = slope damping (a + h / 2 * k1, v + h / 2 * l1)
  let (k3, l3) = slope damping (a + h / 2 * k2, v + h / 2 * l2)
  let (k4, l4) = slope damping (a + h * k3, v + h * l3)
  in (a + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), v + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4))

entry angle (damping: f64) (start: f64) : f64 =
  let (a, _) = loop state = (start, 0) for _i < 60i64 do step damping 0.1 state
  in a
