#ifndef DAGAZ_st_d_h
#define DAGAZ_st_d_h
#ifdef __cplusplus
extern "C" {
#endif
#ifndef DAGAZ_TYPES__tmp_st_c
#define DAGAZ_TYPES__tmp_st_c
#endif
/*  Differentiation of f in forward (tangent) mode:
     variations   of useful results: f
     with respect to varying inputs: x  */
double f_d(double x, double xd, double *f);
#ifdef __cplusplus
}
#endif
#endif
