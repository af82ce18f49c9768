-- Dense linear algebra.  Factorisations have derivative rules made of products and triangular
-- systems, so that derivatives of any order, in both modes, cost a small multiple of the value.
--
--     import "lib/linalg"
--     module linalg = mk_linalg f64
import "linalg/products"
import "linalg/triangular"
import "linalg/cholesky"
import "linalg/lu"
import "linalg/qr"
import "linalg/eigen"
import "linalg/svd"

-- | Dense linear algebra, over one type of floats.
module mk_linalg (R: float) = {
  open mk_products R
  open mk_triangular R
  open mk_cholesky R
  open mk_lu R
  open mk_qr R
  open mk_eigen R
  open mk_svd R
}
