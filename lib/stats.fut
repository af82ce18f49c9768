-- Statistics: samples, distributions, losses.
--
--     import "lib/stats"
--     module stats = mk_stats f64
import "stats/samples"
import "stats/densities"
import "stats/losses"

-- | Statistics, over one type of floats.
module mk_stats (R: float) = {
  open mk_samples R
  open mk_densities R
  open mk_losses R
}
