$ # Derivatives as formulas over whole arrays, named by the user's variables: one assignment a line.
$ printf '%s\n' 'entry loss [n][d][k] (x: [n][d]f64) (y: [n]i64) (w: [k][d]f64) : f64 =' '  f64.sum (map2 (\xi yi ->' '    let z = map (\wj -> f64.sum (map2 (*) xi wj)) w' '    let m = f64.maximum z' '    let s = f64.sum (map (\zj -> f64.exp (zj - m)) z)' '    in m + f64.log s - z[yi]) x y)' > softmax.fut
$ dagaz derive --bulk softmax.fut
# Made by `dagaz derive --bulk` from entry point loss of softmax.fut.
# Its reverse derivative: inputs, then a seed for each result; results, then adjoints, over whole arrays.
import numpy as np

def times(d, p):  # d * p, but 0 where d is 0, even if p is infinite or NaN
    return d * np.where((d != 0) | (np.abs(p) < np.inf), p, 0.0)

def first(extremum, place, x, axis):  # the extremum, and the first place that has it or -1
    none = extremum(-np.inf, np.inf) * -1.0
    x = np.where(np.isnan(x), none, x)
    most = extremum.reduce(x, axis, initial=none)
    return most, np.where(most == none, -1, place(x, axis))

def loss_vjp(x, y, w, seed):
    # x : [n][d]f64
    # y : [n]i64
    # w : [k][d]f64
    # seed : f64
    n = x.shape[0]
    d = x.shape[1]
    k = w.shape[0]
    z = x @ w.T  # [n][k]
    m = np.fmax.reduce(z, 1, initial=-np.inf)  # [n]
    _, fold_1 = first(np.fmax, np.argmax, z, 1)
    exp = np.exp(z - m[:, None])  # [n][k]
    s = np.sum(exp, 1)  # [n]
    div = 1.0 / s  # [n]
    assert np.all((0 <= y) & (y < k)), "Index out of bounds."
    z_1 = z[np.arange(n), y]  # [n]
    result = np.sum(m + np.log(s) - z_1)
    s_adj = times(seed, div)  # [n]
    sub_adj = times(s_adj[:, None], exp)  # [n][k]
    m_adj = seed + np.sum(-sub_adj, 1)  # [n]
    z_adj = np.where(np.arange(k) == y[:, None], -seed, 0.0) + sub_adj + np.where(np.arange(k) == fold_1[:, None], m_adj[:, None], 0.0)
    x_adj = z_adj @ w  # [n][d]
    w_adj = z_adj.T @ x  # [k][d]
    return result, x_adj, w_adj
$ printf '%s\n' 'entry mlp [n][d][h] (x: [n][d]f64) (t: [n]f64) (w: [h][d]f64) (b: [h]f64) (v: [h]f64) : f64 =' '  let hidden = map (\xi -> map2 (\wj bj -> f64.tanh (f64.sum (map2 (*) wj xi) + bj)) w b) x' '  let out = map (\hi -> f64.sum (map2 (*) hi v)) hidden' '  in f64.sum (map2 (\o ti -> (o - ti) * (o - ti)) out t)' > mlp.fut
$ dagaz derive --bulk mlp.fut | sed -n '/^def mlp/,$p'
def mlp_vjp(x, t, w, b, v, seed):
    # x : [n][d]f64
    # t : [n]f64
    # w : [h][d]f64
    # b : [h]f64
    # v : [h]f64
    # seed : f64
    n = x.shape[0]
    d = x.shape[1]
    h = w.shape[0]
    hidden = np.tanh((w @ x.T).T + b)  # [n][h]
    out = hidden @ v  # [n]
    sub = out - t  # [n]
    result = sub @ sub
    mul = seed * sub  # [n]
    sub_adj = mul + mul  # [n]
    t_adj = -sub_adj  # [n]
    hidden_adj = np.broadcast_to(sub_adj[:, None] * v, (n, h))  # [n][h]
    v_adj = hidden.T @ sub_adj  # [h]
    add_adj = hidden_adj * (1.0 - hidden * hidden)  # [n][h]
    b_adj = np.sum(add_adj, 0)  # [h]
    w_adj = add_adj.T @ x  # [h][d]
    x_adj = add_adj @ w  # [n][d]
    return result, x_adj, t_adj, w_adj, b_adj, v_adj
$ # A product of a vector with itself backwards; a convolution; the factorisation; a write.
$ printf '%s\n' 'entry rev [n] (x: [n]f64) = f64.sum (map2 (*) x (reverse x))' 'entry conv [n][k] (x: [n]f64) (w: [k]f64) : []f64 =' '  tabulate (n - k + 1) (\i -> f64.sum (map2 (\j wj -> x[i + j] * wj) (iota k) w))' 'entry fac [n][m] (a: [n][m]f64) (u: [n]f64) (v: [m]f64) =' '  f64.sum (map2 (\r ui -> f64.sum (map2 (\x vj -> (x - ui * vj) * (x - ui * vj)) r v)) a u)' 'entry put [n] (x: [n]f64) : f64 = let y = copy x with [2] = x[0] * x[1] in f64.sum (map (\a -> a * a) y)' > f.fut
$ for e in rev conv fac put; do dagaz derive --bulk -e $e f.fut | sed -n "/^def $e/,\$p"; done
def rev_vjp(x, seed):
    # x : [n]f64
    # seed : f64
    n = x.shape[0]
    result = x @ x[::-1]
    x_adj_1 = seed * x  # [n]
    x_adj = seed * x[::-1] + x_adj_1[::-1]  # [n]
    return result, x_adj
def conv_vjp(x, w, seed):
    # x : [n]f64
    # w : [k]f64
    # seed : [k]f64
    n = x.shape[0]
    k = w.shape[0]
    k_1 = seed.shape[0]
    le = 0 <= n - k + 1
    assert le, "Range %d..%d..<%d is invalid." % (0, 1, n - k + 1)
    assert k_1 == n - k + 1, "The seed has size %d where the result has size %d." % (k_1, n - k + 1)
    assert le, "Range 0..1..<%d is invalid." % (n - k + 1,)
    add = np.broadcast_to(np.arange(n - k + 1)[:, None] + np.arange(k), (n - k + 1, k))
    x_1 = x[add]  # [n - k + 1][k]
    result = x_1 @ w  # [n - k + 1]
    x_adj_1 = np.broadcast_to(seed[:, None] * w, (n - k + 1, k))  # [n - k + 1][k]
    w_adj = x_1.T @ seed  # [k]
    x_adj = put(np.add, np.zeros(n), (add,), x_adj_1)  # [n]
    return result, x_adj, w_adj
def fac_vjp(a, u, v, seed):
    # a : [n][m]f64
    # u : [n]f64
    # v : [m]f64
    # seed : f64
    n = a.shape[0]
    m = a.shape[1]
    sub = a - u[:, None] * v  # [n][m]
    result = np.sum(np.einsum("ij,ij->i", sub, sub))
    mul = seed * sub  # [n][m]
    a_adj = mul + mul  # [n][m]
    mul_adj = -a_adj  # [n][m]
    v_adj = np.sum(mul_adj * u[:, None], 0)  # [m]
    u_adj = np.sum(mul_adj * v, 1)  # [n]
    return result, a_adj, u_adj, v_adj
def put_vjp(x, seed):
    # x : [n]f64
    # seed : f64
    n = x.shape[0]
    y = x.copy()  # [n]
    y[2] = x[0] * x[1]
    result = y @ y
    mul = seed * y  # [n]
    y_adj = mul + mul  # [n]
    update = y_adj.copy()  # [n]
    update[2] = 0.0
    x_adj_1 = y_adj[2] * x[1]
    x_adj_2 = y_adj[2] * x[0]
    update_1 = np.zeros(n)  # [n]
    update_1[1] = x_adj_2
    update_2 = np.zeros(n)  # [n]
    update_2[0] = x_adj_1
    x_adj = update + update_1 + update_2  # [n]
    return result, x_adj
$ # The program itself, its forward derivative, loops.
$ dagaz derive --bulk --expand -e conv f.fut
# Made by `dagaz derive --bulk` from entry point conv of f.fut.
# The program itself, over whole arrays.
import numpy as np

def conv(x, w):
    # x : [n]f64
    # w : [k]f64
    n = x.shape[0]
    k = w.shape[0]
    assert 0 <= n - k + 1, "Range %d..%d..<%d is invalid." % (0, 1, n - k + 1)
    x_1 = x[np.broadcast_to(np.arange(n - k + 1)[:, None] + np.arange(k), (n - k + 1, k))]
    result = x_1 @ w  # [n - k + 1]
    return result
$ dagaz derive --bulk --jvp -e rev f.fut
# Made by `dagaz derive --bulk` from entry point rev of f.fut.
# Its forward derivative: inputs, then tangents; results, then theirs, over whole arrays.
import numpy as np

def rev_jvp(x, d_x):
    # x : [n]f64
    # d_x : [n]f64
    result = x @ x[::-1]
    tangent = np.sum(d_x * x[::-1] + d_x[::-1] * x)
    return result, tangent
$ printf '%s\n' 'entry main [n] (x: [n]f64) (k: i64) : f64 = f64.sum (loop y = x for _i < k do map (\a -> f64.sin a * 2) y)' > l.fut
$ dagaz derive --bulk --expand l.fut
# Made by `dagaz derive --bulk` from entry point main of l.fut.
# The program itself, over whole arrays.
import numpy as np

def main(x, k):
    # x : [n]f64
    # k : i64
    n = x.shape[0]
    y = x
    for _i in range(k):
        sin = np.sin(y)  # [n]
        mul = sin * 2.0  # [n]
        y = mul
    result = np.sum(y)
    return result
$ dagaz derive --bulk l.fut | sed -n '/^def/,$p'
def main_vjp(x, k, seed):
    # x : [n]f64
    # k : i64
    # seed : f64
    n = x.shape[0]
    y = x
    for _i in range(k):
        sin = np.sin(y)  # [n]
        mul = sin * 2.0  # [n]
        y = mul
    result = np.sum(y)
    max = np.maximum(k, 0)
    y_1, tape = x, np.zeros((max, n))
    for _i_1 in range(k):
        tape_1 = tape  # [max][n]
        tape_1[_i_1] = y_1
        sin_1 = np.sin(y_1)  # [n]
        mul_1 = sin_1 * 2.0  # [n]
        y_1, tape = mul_1, tape_1
    x_adj = np.broadcast_to(seed, n)
    for j in range(max):
        x_adj_1 = x_adj * 2.0  # [n]
        cos = np.cos(tape[max - 1 - j])  # [n]
        x_adj_2 = x_adj_1 * cos  # [n]
        x_adj = x_adj_2
    return result, x_adj
$ # Plain products.
$ printf 'entry main [n] (x: [n]f64) = f64.sum (map f64.log x)\n' > g.fut
$ dagaz derive --bulk --no-guards g.fut
# Made by `dagaz derive --bulk` from entry point main of g.fut.
# Its reverse derivative: inputs, then a seed for each result; results, then adjoints, over whole arrays.
import numpy as np

def main_vjp(x, seed):
    # x : [n]f64
    # seed : f64
    n = x.shape[0]
    result = np.sum(np.log(x))
    x_adj = seed * (1.0 / x)  # [n]
    return result, x_adj
$ # What is no program of whole arrays: one error, with the construct and its place.
$ printf '%s\n' 'entry ragged [n] (x: [n]f64) : f64 = f64.sum (map (\i -> f64.sum (map f64.i64 (iota i))) (iota n)) * x[0]' 'def p (x: f64) (n: i64) : f64 = if n < 1 then 1 else x * p x (n - 1) * p x (n - 2)' 'entry recursive (x: f64) = p x 4' 'entry high (x: f64) (y: u32) = x * f64.u32 (u32.mul_hi y 3)' 'entry integers (x: i64) = x + 1' > r.fut
$ dagaz derive --bulk -e ragged r.fut
Error at r.fut:1:79-87:
unsupported: a size differs between iterations, by the strategy "dual" of derivatives
    1 | entry ragged [n] (x: [n]f64) : f64 = f64.sum (map (\i -> f64.sum (map f64.i64 (iota i))) (iota n ..
      |                                                                               ^^^^^^^^ [unsupported]
[3]
$ dagaz derive --bulk -e recursive r.fut
Error at r.fut:3:28-33:
unsupported: a call of the recursive function p, by the strategy "dual" of derivatives
    3 | entry recursive (x: f64) = p x 4
      |                            ^^^^^ [unsupported]
[3]
$ dagaz derive --bulk -e high r.fut
Error at r.fut:4:44-60:
no formulas over whole arrays for "high": the operation mul_hi, which NumPy lacks
    4 | entry high (x: f64) (y: u32) = x * f64.u32 (u32.mul_hi y 3)
      |                                            ^^^^^^^^^^^^^^^^
[2]
$ dagaz derive --bulk -e integers r.fut
Error at r.fut:5:7-15:
cannot derive "integers": it has no floating-point parameter
    5 | entry integers (x: i64) = x + 1
      |       ^^^^^^^^
[2]
