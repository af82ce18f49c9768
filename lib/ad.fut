-- Functions for users of derivatives, over the operators jvp and vjp that every program sees.
--
--     import "lib/ad"
--     module ad = mk_ad f64
--     entry main [n] (xs: [n]f64) = ad.value_and_grad (\xs -> f64.sum (map f64.sin xs)) xs
--
-- Everything differentiates again, in either mode, to any order.  A function of several arguments
-- takes them as a tuple or record; gradients have the type of the argument.
import "ad/dense"
import "ad/implicit"
open import "ad/invertible"
import "ad/linear"
import "ad/sparse"

-- | The argument, constant to every derivative around it.
def stop_gradient 'a (x: a) : a = intrinsics.stop_gradient x

-- | Everything of this library, over one type of floats: `module ad = mk_ad f64`.
module mk_ad (R: float) = {
  open mk_dense R
  open mk_linear R
  open mk_implicit R
  open mk_sparse R
}
