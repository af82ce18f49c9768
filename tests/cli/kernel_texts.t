$ printf '%s\n' 'def f (xs: []f64) = map (\x -> x * x + 1) xs' 'entry one (xs: []f64) = f xs' 'entry two (xs: []f64) (ys: []f64) = (f xs, f ys, map (* 2) ys)' 'entry three (xs: []f64) = map (+ 1) xs' > t.fut
$ dagaz ir --kernels opencl t.fut | grep 'Kernels of\|^DZ_KERNEL' | sed 's/(DZ_SELF.*//'
// Kernels of one, two
DZ_KERNEL(f_one_0_kernel1)
DZ_KERNEL(f_two_1_kernel2)
// Kernels of three
DZ_KERNEL(f_three_2_kernel1)
$ dagaz opencl --c-only -o t t.fut; grep -c '"DZ_KERNEL' t.c; grep 'dz_kernel_text_of.. =\|dz_kernels =' t.c
3
static const int dz_kernel_text_of[] = {0, 0, 1, 0};
static const DzKernelTexts dz_kernels = {dz_kernel_texts, dz_kernel_text_of, 2, 3};
