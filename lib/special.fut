-- Special functions, with derivatives that are right to every order and at the ends.
--
--     import "lib/special"
--     module special = mk_special f64
--
-- Derivatives of lgamma and gamma need no import; `dagaz derive` prints them in these words.
import "special/elementary"
import "special/gamma"
import "special/beta"
import "special/erf"
import "special/bessel"

-- | Special functions, over one type of floats.
module mk_special (R: float) = {
  open mk_elementary R
  open mk_gamma R
  open mk_beta R
  open mk_erf R
  open mk_bessel R
}
