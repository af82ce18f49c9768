-- Ordinary differential equations: y' = f t y for a state of n numbers.
--
--     import "lib/ode"
--     module ode = mk_ode f64
import "ode/fixed"
import "ode/adaptive"

-- | Solvers of ordinary differential equations, over one type of floats.
module mk_ode (R: float) = {
  open mk_fixed R
  open mk_adaptive R
}
