-- Optimisation: minima of functions of arrays, and of records that are given as arrays.
--
--     import "lib/optim"
--     module optim = mk_optim f64
--
-- Every method takes options first, then the function and a start, and gives a record with the
-- point, its value and gradient, the number of steps and the reason of the end.  Points where the
-- value or the gradient is not finite are never taken.
import "optim/common"
import "optim/first_order"
import "optim/newton"

-- | Methods of optimisation, over one type of floats.
module mk_optim (R: float) = {
  open mk_common R
  open mk_first_order R
  open mk_newton R
}
