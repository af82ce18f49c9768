$ cp $DAGAZ_ROOT/tests/c/examples/*.[ch] .
$ dagaz cc --stage core talk.c -e f
fn f (v1_1 : f64, p1_2 : f64, v3_3 : f64, v4_4 : f64) -> (v4_out_10 : f64) {
  let (mul_5 : f64) = mul f64 (2f64, v1_1)
  let (v2_6 : f64) = add f64 (mul_5, 5f64)
  let (mul_7 : f64) = mul f64 (p1_2, v3_3)
  let (div_8 : f64) = div f64 (mul_7, v2_6)
  let (v4_9 : f64) = add f64 (v2_6, div_8)
  in (v4_9)
}
$ dagaz cc --stage core march.c -e march
fn march (k_1 : i64, n_y_2 : i64, y_3 : *[n_y_2]f64, e_4 : f64) -> (march_17 : f64, y_out_18 : *[n_y_2]f64) {
  let (y_14 : [n_y_2]f64, s_15 : f64) = loop is_for 0 k_1 (y_3, 1f64) (\(k_5 : i64, y_6 : *[n_y_2]f64, s_7 : f64) -> ([n_y_2]f64, f64) {
    let (y_8 : f64) = index y_6 [k_5]
    let (sin_9 : f64) = sin f64 (y_8)
    let (mul_10 : f64) = mul f64 (s_7, sin_9)
    let (s_11 : f64) = add f64 (mul_10, e_4)
    let (mul_12 : f64) = mul f64 (s_11, s_11)
    let (y_13 : [n_y_2]f64) = update y_6 [k_5] mul_12
    in (y_13, s_11)
  })
  let (max_16 : i64) = max i64 (k_1, 0i64)
  in (s_15, y_14)
}
$ dagaz cc --stage core mixture.c -e log_sum_exp
fn log_sum_exp (n_1 : i64, n_x_2 : i64, x_3 : [n_x_2]f64) -> (log_sum_exp_26 : f64) {
  let (x_4 : f64) = index x_3 [0i64]
  let (sub_5 : i64) = sub i64 (n_1, 1i64)
  let (mx_13 : f64) = loop is_for 0 sub_5 (x_4) (\(k_6 : i64, mx_7 : f64) -> (f64) {
    let (add_8 : i64) = add i64 (k_6, 1i64)
    let (x_9 : f64) = index x_3 [add_8]
    let (lt_10 : bool) = lt f64 (mx_7, x_9)
    let (x_12 : f64) = match (lt_10) {
      case (true) -> {
        let (x_11 : f64) = index x_3 [add_8]
        in (x_11)
      }
      case () -> { in (mx_7) }
    }
    in (x_12)
  })
  let (max_14 : i64) = max i64 (sub_5, 0i64)
  let (add_15 : i64) = add i64 (max_14, 1i64)
  let (semx_22 : f64) = loop is_for 0 n_1 (0f64) (\(k_16 : i64, semx_17 : f64) -> (f64) {
    let (x_18 : f64) = index x_3 [k_16]
    let (sub_19 : f64) = sub f64 (x_18, mx_13)
    let (exp_20 : f64) = exp f64 (sub_19)
    let (semx_21 : f64) = add f64 (semx_17, exp_20)
    in (semx_21)
  })
  let (max_23 : i64) = max i64 (n_1, 0i64)
  let (log_24 : f64) = log f64 (semx_22)
  let (log_sum_exp_25 : f64) = add f64 (log_24, mx_13)
  in (log_sum_exp_25)
}
$ dagaz cc --stage core mixture.c -e Qtimesx
fn Qtimesx (d_1 : i64, n_Qdiag_2 : i64, Qdiag_3 : [n_Qdiag_2]f64, n_ltri_4 : i64, ltri_5 : [n_ltri_4]f64, n_x_6 : i64, x_7 : [n_x_6]f64, n_out_8 : i64, out_9 : *[n_out_8]f64) -> (out_out_43 : *[n_out_8]f64) {
  let (out_16 : [n_out_8]f64) = loop is_for 0 d_1 (out_9) (\(k_10 : i64, out_11 : *[n_out_8]f64) -> ([n_out_8]f64) {
    let (Qdiag_12 : f64) = index Qdiag_3 [k_10]
    let (x_13 : f64) = index x_7 [k_10]
    let (mul_14 : f64) = mul f64 (Qdiag_12, x_13)
    let (out_15 : [n_out_8]f64) = update out_11 [k_10] mul_14
    in (out_15)
  })
  let (max_17 : i64) = max i64 (d_1, 0i64)
  let (out_39 : [n_out_8]f64, j_40 : i64, Lparamsidx_41 : i64) = loop is_for 0 d_1 (out_16, 0i64, 0i64) (\(k_18 : i64, out_19 : *[n_out_8]f64, j_20 : i64, Lparamsidx_21 : i64) -> ([n_out_8]f64, i64, i64) {
    let (j_22 : i64) = add i64 (k_18, 1i64)
    let (sub_23 : i64) = sub i64 (d_1, j_22)
    let (out_35 : [n_out_8]f64, Lparamsidx_36 : i64) = loop is_for 0 sub_23 (out_19, Lparamsidx_21) (\(k_24 : i64, out_25 : *[n_out_8]f64, Lparamsidx_26 : i64) -> ([n_out_8]f64, i64) {
      let (add_27 : i64) = add i64 (k_24, j_22)
      let (out_28 : f64) = index out_25 [add_27]
      let (ltri_29 : f64) = index ltri_5 [Lparamsidx_26]
      let (x_30 : f64) = index x_7 [k_18]
      let (mul_31 : f64) = mul f64 (ltri_29, x_30)
      let (add_32 : f64) = add f64 (out_28, mul_31)
      let (out_33 : [n_out_8]f64) = update out_25 [add_27] add_32
      let (Lparamsidx_34 : i64) = add i64 (Lparamsidx_26, 1i64)
      in (out_33, Lparamsidx_34)
    })
    let (max_37 : i64) = max i64 (sub_23, 0i64)
    let (add_38 : i64) = add i64 (max_37, j_22)
    in (out_35, add_38, Lparamsidx_36)
  })
  let (max_42 : i64) = max i64 (d_1, 0i64)
  in (out_39)
}
$ dagaz cc --stage core relax.c -e relax
fn relax (n_1 : i64, n_u_2 : i64, u_3 : *[n_u_2]f64, n_f_4 : i64, f_5 : [n_f_4]f64, c_6 : f64, steps_7 : i64) -> (u_out_38 : *[n_u_2]f64) {
  let (u_36 : [n_u_2]f64) = loop is_for 0 steps_7 (u_3) (\(k_8 : i64, u_9 : *[n_u_2]f64) -> ([n_u_2]f64) {
    let (sub_10 : i64) = sub i64 (n_1, 1i64)
    let (sub_11 : i64) = sub i64 (sub_10, 1i64)
    let (u_33 : [n_u_2]f64) = loop is_for 0 sub_11 (u_9) (\(k_12 : i64, u_13 : *[n_u_2]f64) -> ([n_u_2]f64) {
      let (add_14 : i64) = add i64 (k_12, 1i64)
      let (u_15 : f64) = index u_13 [add_14]
      let (sub_16 : i64) = sub i64 (add_14, 1i64)
      let (u_17 : f64) = index u_13 [sub_16]
      let (u_18 : f64) = index u_13 [add_14]
      let (mul_19 : f64) = mul f64 (2f64, u_18)
      let (sub_20 : f64) = sub f64 (u_17, mul_19)
      let (add_21 : i64) = add i64 (add_14, 1i64)
      let (u_22 : f64) = index u_13 [add_21]
      let (add_23 : f64) = add f64 (sub_20, u_22)
      let (u_24 : f64) = index u_13 [add_14]
      let (u_25 : f64) = index u_13 [add_14]
      let (mul_26 : f64) = mul f64 (u_24, u_25)
      let (f_27 : f64) = index f_5 [add_14]
      let (mul_28 : f64) = mul f64 (mul_26, f_27)
      let (sub_29 : f64) = sub f64 (add_23, mul_28)
      let (mul_30 : f64) = mul f64 (c_6, sub_29)
      let (add_31 : f64) = add f64 (u_15, mul_30)
      let (u_32 : [n_u_2]f64) = update u_13 [add_14] add_31
      in (u_32)
    })
    let (max_34 : i64) = max i64 (sub_11, 0i64)
    let (add_35 : i64) = add i64 (max_34, 1i64)
    in (u_33)
  })
  let (max_37 : i64) = max i64 (steps_7, 0i64)
  in (u_36)
}
$ dagaz cc --stage core chol.c -e chol
fn chol (n_1 : i64, n_a_2 : i64, a_3 : *[n_a_2]f64) -> (a_out_57 : *[n_a_2]f64) {
  let (a_55 : [n_a_2]f64) = loop is_for 0 n_1 (a_3) (\(k_4 : i64, a_5 : *[n_a_2]f64) -> ([n_a_2]f64) {
    let (mul_6 : i64) = mul i64 (k_4, n_1)
    let (add_7 : i64) = add i64 (mul_6, k_4)
    let (a_8 : f64) = index a_5 [add_7]
    let (s_19 : f64) = loop is_for 0 k_4 (a_8) (\(k_9 : i64, s_10 : f64) -> (f64) {
      let (mul_11 : i64) = mul i64 (k_4, n_1)
      let (add_12 : i64) = add i64 (mul_11, k_9)
      let (a_13 : f64) = index a_5 [add_12]
      let (mul_14 : i64) = mul i64 (k_4, n_1)
      let (add_15 : i64) = add i64 (mul_14, k_9)
      let (a_16 : f64) = index a_5 [add_15]
      let (mul_17 : f64) = mul f64 (a_13, a_16)
      let (s_18 : f64) = sub f64 (s_10, mul_17)
      in (s_18)
    })
    let (max_20 : i64) = max i64 (k_4, 0i64)
    let (mul_21 : i64) = mul i64 (k_4, n_1)
    let (add_22 : i64) = add i64 (mul_21, k_4)
    let (sqrt_23 : f64) = sqrt f64 (s_19)
    let (a_24 : [n_a_2]f64) = update a_5 [add_22] sqrt_23
    let (i_25 : i64) = add i64 (k_4, 1i64)
    let (sub_26 : i64) = sub i64 (n_1, i_25)
    let (a_52 : [n_a_2]f64) = loop is_for 0 sub_26 (a_24) (\(k_27 : i64, a_28 : *[n_a_2]f64) -> ([n_a_2]f64) {
      let (add_29 : i64) = add i64 (k_27, i_25)
      let (mul_30 : i64) = mul i64 (add_29, n_1)
      let (add_31 : i64) = add i64 (mul_30, k_4)
      let (a_32 : f64) = index a_28 [add_31]
      let (t_43 : f64) = loop is_for 0 k_4 (a_32) (\(k_33 : i64, t_34 : f64) -> (f64) {
        let (mul_35 : i64) = mul i64 (add_29, n_1)
        let (add_36 : i64) = add i64 (mul_35, k_33)
        let (a_37 : f64) = index a_28 [add_36]
        let (mul_38 : i64) = mul i64 (k_4, n_1)
        let (add_39 : i64) = add i64 (mul_38, k_33)
        let (a_40 : f64) = index a_28 [add_39]
        let (mul_41 : f64) = mul f64 (a_37, a_40)
        let (t_42 : f64) = sub f64 (t_34, mul_41)
        in (t_42)
      })
      let (max_44 : i64) = max i64 (k_4, 0i64)
      let (mul_45 : i64) = mul i64 (add_29, n_1)
      let (add_46 : i64) = add i64 (mul_45, k_4)
      let (mul_47 : i64) = mul i64 (k_4, n_1)
      let (add_48 : i64) = add i64 (mul_47, k_4)
      let (a_49 : f64) = index a_28 [add_48]
      let (div_50 : f64) = div f64 (t_43, a_49)
      let (a_51 : [n_a_2]f64) = update a_28 [add_46] div_50
      in (a_51)
    })
    let (max_53 : i64) = max i64 (sub_26, 0i64)
    let (add_54 : i64) = add i64 (max_53, i_25)
    in (a_52)
  })
  let (max_56 : i64) = max i64 (n_1, 0i64)
  in (a_55)
}
$ dagaz cc --stage core polar.c -e move
fn polar (x_1 : f64, y_2 : f64, r_3 : f64, phi_4 : f64) -> (r_out_10 : f64, phi_out_11 : f64) {
  let (mul_5 : f64) = mul f64 (x_1, x_1)
  let (mul_6 : f64) = mul f64 (y_2, y_2)
  let (add_7 : f64) = add f64 (mul_5, mul_6)
  let (r_8 : f64) = sqrt f64 (add_7)
  let (phi_9 : f64) = atan2 f64 (y_2, x_1)
  in (r_8, phi_9)
}
fn move (n_p_12 : i64, p_13 : [n_p_12]f64, dt_14 : f64, n_q_15 : i64, q_16 : *[n_q_15]f64) -> (q_out_33 : *[n_q_15]f64) {
  let (p_17 : f64) = index p_13 [0i64]
  let (p_18 : f64) = index p_13 [1i64]
  let (r_19 : f64, phi_20 : f64) = apply polar (p_17, p_18, 0f64, 0f64)
  let (add_21 : f64) = add f64 (1f64, dt_14)
  let (mul_22 : f64) = mul f64 (r_19, add_21)
  let (add_23 : f64) = add f64 (phi_20, dt_14)
  let (cos_24 : f64) = cos f64 (add_23)
  let (mul_25 : f64) = mul f64 (mul_22, cos_24)
  let (q_26 : [n_q_15]f64) = update q_16 [0i64] mul_25
  let (add_27 : f64) = add f64 (1f64, dt_14)
  let (mul_28 : f64) = mul f64 (r_19, add_27)
  let (add_29 : f64) = add f64 (phi_20, dt_14)
  let (sin_30 : f64) = sin f64 (add_29)
  let (mul_31 : f64) = mul f64 (mul_28, sin_30)
  let (q_32 : [n_q_15]f64) = update q_26 [1i64] mul_31
  in (q_32)
}
$ dagaz cc --stage core exits.c -e sumtil
fn sumtil (n_vec_1 : i64, vec_2 : *[n_vec_1]f64, size_3 : i64) -> (sumtil_34 : f64, vec_out_35 : *[n_vec_1]f64) {
  let (lt_4 : bool) = lt i64 (0i64, size_3)
  let (loop_29 : bool, vec_30 : [n_vec_1]f64, ret_31 : f64, i_32 : i64, left_33 : bool) = loop 0 () (lt_4, vec_2, 0f64, 0i64, false) (\(more_5 : bool, vec_6 : *[n_vec_1]f64, ret_7 : f64, i_8 : i64, left_9 : bool) -> (bool, [n_vec_1]f64, f64, i64, bool) {
    let (vec_10 : f64) = index vec_6 [i_8]
    let (vec_11 : f64) = index vec_6 [i_8]
    let (mul_12 : f64) = mul f64 (vec_10, vec_11)
    let (ret_13 : f64) = add f64 (ret_7, mul_12)
    let (lt_14 : bool) = lt f64 (3e+01f64, ret_13)
    let (vec_20 : [n_vec_1]f64, ret_21 : f64, match_22 : bool) = match (lt_14) {
      case (true) -> { in (vec_6, ret_13, true) }
      case () -> {
        let (vec_15 : f64) = index vec_6 [i_8]
        let (vec_16 : f64) = index vec_6 [i_8]
        let (mul_17 : f64) = mul f64 (vec_15, vec_16)
        let (ret_18 : f64) = add f64 (ret_13, mul_17)
        let (vec_19 : [n_vec_1]f64) = update vec_6 [i_8] 0f64
        in (vec_19, ret_18, left_9)
      }
    }
    let (not_23 : bool) = not bool (match_22)
    let (i_25 : i64) = match (not_23) {
      case (true) -> {
        let (i_24 : i64) = add i64 (i_8, 1i64)
        in (i_24)
      }
      case () -> { in (i_8) }
    }
    let (not_26 : bool) = not bool (match_22)
    let (lt_27 : bool) = lt i64 (i_25, size_3)
    let (and_28 : bool) = and bool (not_26, lt_27)
    in (and_28, vec_20, ret_21, i_25, match_22)
  })
  in (ret_31, vec_30)
}
$ dagaz cc --stage derivative --grad talk.c -e "f(v4)/(v1 v3)"
fn f (v1_1 : f64, p1_2 : f64, v3_3 : f64, v4_4 : f64) -> (v4_out_10 : f64) {
  let (mul_5 : f64) = mul f64 (2f64, v1_1)
  let (v2_6 : f64) = add f64 (mul_5, 5f64)
  let (mul_7 : f64) = mul f64 (p1_2, v3_3)
  let (div_8 : f64) = div f64 (mul_7, v2_6)
  let (v4_9 : f64) = add f64 (v2_6, div_8)
  in (v4_9)
}
fn f_grad_entry entry "f_grad" (v1_11 : f64, p1_12 : f64, v3_13 : f64, v4_14 : f64) -> (result_21 : f64, result_22 : f64, result_23 : f64) {
  let (vjp_18 : f64, vjp_19 : f64, vjp_20 : f64) = vjp () (\(v1_15 : f64, v3_16 : f64) -> (f64) {
    let (f_17 : f64) = apply f (v1_15, p1_12, v3_16, v4_14)
    in (f_17)
  }) (v1_11, v3_13) (1f64)
  in (vjp_18, vjp_19, vjp_20)
}
$ printf 'typedef struct { int n; double **at; } Vector;\ndouble sum(Vector *v, double c) {\n  double s = 0;\n  for (int i = 0; i < v->n; i++) s += c*c*v->at[i][0];\n  return s;\n}\n' > vector.c
$ dagaz cc --grad vector.c -e "sum(sum)/(c)" && ls *sum_b* && grep "void sum_b(" sum_b.h
Warning at vector.c:4:23-27:
A parameter that points to a struct whose pointers lead to other pointers, or to structs, is used, through core.
    4 |   for (int i = 0; i < v->n; i++) s += c*c*v->at[i][0];
      |                       ^^^^ [c-points-to]
Hint: source transformation is used instead: `sum_b`, with the parameters that `dagaz adjoint` gives it
libsum_b.so
sum_b.c
sum_b.h
void sum_b(Vector *v, double c, double *cb, double sumb);
$ dagaz cc --hvp vector.c -e "sum(sum)/(c)"
Error at vector.c:4:23-27:
A parameter that points to a struct whose pointers lead to other pointers, or to structs, is used, through core.
    4 |   for (int i = 0; i < v->n; i++) s += c*c*v->at[i][0];
      |                       ^^^^ [c-points-to]
[3]
$ printf 'typedef struct { int n; double *at; } Vector;\nstatic double inner(int n, const double x[n], const char **names, Vector *v) {\n  double s = 0;\n  for (int i = 0; i < n; i++) s += x[i]*x[i];\n  return s;\n}\ndouble norm(int n, const double x[n], const char **names, Vector *v, double **rows) {\n  names++;\n  return inner(n, x, names, v + n);\n}\n' > unused.c
$ dagaz cc --grad unused.c -e "norm(norm)/(x)" && grep "norm_grad(" norm_grad.h
int norm_grad(int n, const double *x, const char **names, Vector *v, double **rows, double *value, double *x_grad);
$ printf '#include <stdio.h>\n#include "norm_grad.h"\nint main(void) {\n  double x[3] = {1, -2, 3}, value, g[3];\n  const char *names[1] = {0};\n  if (norm_grad(3, x, names, 0, 0, &value, g)) return puts(norm_grad_message());\n  printf("%%g: %%g %%g %%g\\n", value, g[0], g[1], g[2]);\n  return 0;\n}\n' > norm_main.c
$ gcc -o norm norm_main.c -L. -lnorm_grad -Wl,-rpath,. && ./norm
14: 2 -4 6
$ dagaz cc --vjp unused.c -e "norm(norm)/(x)" --convention tapenade && grep "norm_b(" norm_b.h; grep -c Vector_diff norm_b.h
void norm_b(int n, const double *x, double *xb, const char **names, Vector *v, double **rows, double normb);
0
[1]
$ dagaz cc --grad unused.c -e "norm(norm)/(x v.at)"
Error at unused.c:7:67-68:
How much memory the pointers in `v` lead to is not known, so its adjoint cannot start at zero.
    7 | double norm(int n, const double x[n], const char **names, Vector *v, double **rows) {
      |                                                                   ^ [c-length]
Hint: name it as an output, too, and zero its adjoint before the call
[2]
$ dagaz cc --grad talk.c -e nothing
Error:
No function `nothing` is defined.
[2]
$ dagaz cc --grad polar.c -e move
Error at polar.c:6:6-10:
`move` has more than one output: a gradient is that of one number.
    6 | void move(double const *p, double dt, double *q) {
      |      ^^^^ [c-head]
Hint: name it: -e "move(output)/(inputs)"; or use --vjp, --jac
[2]
$ dagaz cc --grad talk.c
usage: dagaz cc [--grad | --jvp | --vjp | --jac | --hvp] -e FUNCTION FILE.c..  (dagaz help cc says more)
[1]
$ printf 'double f(int n, const double *x, const double *w) {\n  double s = 0;\n  for (int i = 0; i < n; i++) s += w[i]*x[i]*x[i]*x[i];\n  return s;\n}\n' > cubes.c
$ for m in grad jvp vjp jac hvp value; do dagaz cc --$m cubes.c -e "f(f)/(x)" && grep "int f_" f_$m.h; done
int f_grad(int n, const double *x, const double *w, double *value, double *x_grad);
int f_jvp(int n, const double *x, const double *w, const double *x_dot, double *value, double *value_dot);
int f_vjp(int n, const double *x, const double *w, double value_seed, double *value, double *x_grad);
int f_jac(int n, const double *x, const double *w, double *value, double *jacobian);
int f_hvp(int n, const double *x, const double *w, const double *x_dot, double *value, double *x_grad, double *x_hvp);
int f_value(int n, const double *x, const double *w, double *value);
$ printf 'void g(int n, const double *x, double *y) {\n  for (int i = 0; i < n; i++) y[i] = x[i]*x[(i + 1) %% n];\n}\n' > pairs.c
$ dagaz cc --jac pairs.c -e "g(y)/(x)"
Error at pairs.c:1:29-30:
How long `x` is cannot be told from its uses.
    1 | void g(int n, const double *x, double *y) {
      |                             ^ [c-length]
Hint: write `x[n]` in the parameter list, `#pragma dagaz length x[n]`, or --length "x[n]"
[2]
$ for m in jac jvp; do dagaz cc --$m pairs.c -e "g(y)/(x)" --length "x[n]"; done
$ cat $DAGAZ_ROOT/tests/c/modes_main.c > main.c; gcc -w -o main main.c -L. -lf_grad -lf_jvp -lf_vjp -lf_jac -lf_hvp -lf_value -lg_jac -lg_jvp -lm -Wl,-rpath,. && ./main
0 value: 59
0 gradient: 3 6 54
0 vjp: 6 12 108
0 jvp: -51
0 jacobian: 3 6 54
0 hessian product: 6 0 -36
0 jacobian: 2 1 0 0 3 2 3 0 1
0 jvp: 2 -2 2
values: 2 6 3
2 Error: g_jac: the arguments y and x overlap: pass copies
$ printf 'double half(double x) { return x*x/2; }\ndouble cube(double x) { return x*x*x; }\nstatic int n;\ndouble counted(double x) { n++; return x*x; }\ndouble inside(double x) {\n  if (x < 0) goto in;\nagain:\n  x *= x;\nin:\n  x += 1;\n  if (x < 2) goto again;\n  return x;\n}\n' > several.c; dagaz cc --grad -w several.c -e half -e cube -e counted; ls *half* *cube* *counted*
counted_b.c
counted_b.h
cube_grad.h
cube_grad.hpp
cubes.c
half_grad.h
half_grad.hpp
libcounted_b.so
libcube_grad.so
libhalf_grad.so
$ dagaz cc --jvp -w --check several.c -e half -e cube | grep -v deviation
half
they agree
cube
they agree
$ dagaz cc --grad several.c -e half -e cube -o one
dagaz cc: -o and --stdout are for one function: say -e once
[1]
$ dagaz cc --grad several.c -e inside
Error at several.c:6:14-22:
`goto` into a block or a loop is not supported in adjoints: write loops and branches.
    6 |   if (x < 0) goto in;
      |              ^^^^^^^^ [c-goto]
[3]
$ echo 'double sq(int n, const double *x) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; return s; }' > sq.c; dagaz cc --jvp --jac sq.c -e 'sq(sq)/(x)'; echo $?
dagaz cc: one of --grad, --jvp, --vjp, --jac, --hvp and --value in a run
1
$ mkdir named; dagaz cc --grad --c-only sq.c -e 'sq(sq)/(x)' -o named/libone.so; dagaz adjoint sq.c --head 'sq(sq)/(x)' --length 'x[n]' -o named/two_b.c; dagaz tangent sq.c --head 'sq(sq)/(x)' -o named/three.c; ls named | tr '\n' ' '; grep -h 'include "t' named/*.c
one.c one.h one.hpp three_d.c three_d.h two_b.c two_b.h #include "three_d.h"
#include "two_b.h"
$ cp sq.c keep.c; dagaz cc --grad --c-only sq.c -e 'sq(sq)/(x)' -o sq; cp sq.c sq_b.c; dagaz adjoint sq_b.c --head 'sq(sq)/(x)' -o sq; echo 'int mine;' > sq_d.h; dagaz tangent sq.c --head 'sq(sq)/(x)'; cmp sq.c keep.c; cmp sq_b.c keep.c; cat sq_d.h
dagaz: sq.c is there, and Dagaz did not make it: move it, or name the files with -o
dagaz: sq_b.c is there, and Dagaz did not make it: move it, or name the files with -o
dagaz: sq_d.h is there, and Dagaz did not make it: move it, or name the files with -o
int mine;
$ echo 'void fill(int n, const double *x, double *y) { for (int i = 0; i < n; i++) y[i] = x[i] * x[i]; }' > out.c; echo 'static void one(double a, double *to) { *to = a * a; } void two(double a, double *b) { one(a, &b[0]); b[1] += a; }' >> out.c; dagaz cc --vjp --c-only out.c -e fill --length 'x[n] y[n]' -o o1; dagaz cc --vjp --c-only out.c -e two --length 'b[2]' -o o2; grep -h _vjp\( o1.h o2.h
int fill_vjp(int n, const double *x, double *y, const double *y_seed, double *x_grad);
int two_vjp(double a, double *b, const double *b_seed, double *a_grad, double *b_grad);
