#ifndef DAGAZ_st_b_h
#define DAGAZ_st_b_h
#ifdef __cplusplus
extern "C" {
#endif
#ifndef DAGAZ_TYPES__tmp_st_c
#define DAGAZ_TYPES__tmp_st_c
#endif
/*  Differentiation of f in reverse (adjoint) mode:
     gradient     of useful results: f
     with respect to varying inputs: x  */
void f_b(double x, double *xb, double fb);
#ifdef __cplusplus
}
#endif
#endif
