-- Accesses of derivatives fail where those of the function fail, also where nobody wants its value.
-- ==
-- entry: jvp_read jvp_write jvp_slice jvp_gather jvp_field jvp_write_field jvp_loop jvp_branch jvp_jvp
-- input { [1.0, 2.0, 3.0] 77i64 } error: out of bounds for array of shape \[3\]
-- input { [1.0, 2.0, 3.0] -2i64 } error: out of bounds for array of shape \[3\]
-- input { [1.0, 2.0, 3.0] 100000000000i64 } error: out of bounds for array of shape \[3\]
entry jvp_read [n] (v: [n]f64) (k: i64) = jvp (\v -> v[k]) v v
entry jvp_write [n] (v: [n]f64) (k: i64) = jvp (\v -> copy v with [k] = v[0] * v[0]) v v
entry jvp_slice [n] (v: [n]f64) (k: i64) = jvp (\v -> f64.sum v[k:k + 2]) v v
entry jvp_gather [n] (v: [n]f64) (k: i64) = jvp (\v -> f64.sum (map (\i -> v[i + k]) (iota n))) v v
entry jvp_field [n] (v: [n]f64) (k: i64) = jvp (\v -> (zip v (reverse v))[k].1) v v
entry jvp_write_field [n] (v: [n]f64) (k: i64) =
  jvp (\v -> map (.1) (copy (zip v (reverse v)) with [k] = (v[0], v[1]))) v v
entry jvp_loop [n] (v: [n]f64) (k: i64) =
  jvp (\v -> loop w = copy v for i < n do w with [i + k] = w[i] * 2) v v
entry jvp_branch [n] (v: [n]f64) (k: i64) = jvp (\v -> if v[0] > 0 then v[k] else v[1]) v v
entry jvp_jvp [n] (v: [n]f64) (k: i64) = jvp (\v -> jvp (\v -> v[k] * v[0]) v v) v v

-- ==
-- entry: vjp_read vjp_write vjp_slice vjp_product vjp_field vjp_write_field vjp_loop vjp_branch vjp_jvp
-- input { [1.0, 2.0, 3.0] 77i64 } error: out of bounds for array of shape \[3\]
-- input { [1.0, 2.0, 3.0] -2i64 } error: out of bounds for array of shape \[3\]
-- input { [1.0, 2.0, 3.0] 100000000000i64 } error: out of bounds for array of shape \[3\]
entry vjp_read [n] (v: [n]f64) (k: i64) = vjp (\v -> v[k]) v 1
entry vjp_write [n] (v: [n]f64) (k: i64) = vjp (\v -> copy v with [k] = v[0] * v[0]) v v
entry vjp_slice [n] (v: [n]f64) (k: i64) = vjp (\v -> f64.sum v[k:k + 2]) v 1
entry vjp_product [n] (v: [n]f64) (k: i64) =
  vjp (\v -> f64.sum (map (\i -> v[i + k] * v[i]) (iota n))) v 1
entry vjp_field [n] (v: [n]f64) (k: i64) = vjp (\v -> (zip v (reverse v))[k].1) v 1
entry vjp_write_field [n] (v: [n]f64) (k: i64) =
  vjp (\v -> map (.1) (copy (zip v (reverse v)) with [k] = (v[0], v[1]))) v v
entry vjp_loop [n] (v: [n]f64) (k: i64) =
  vjp (\v -> loop w = copy v for i < n do w with [i + k] = w[i] * 2) v v
entry vjp_branch [n] (v: [n]f64) (k: i64) = vjp (\v -> if v[0] > 0 then v[k] else v[1]) v 1
entry vjp_jvp [n] (v: [n]f64) (k: i64) = vjp (\v -> jvp (\v -> v[k] * v[0]) v v) v 1
