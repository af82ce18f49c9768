# Builds the stand-ins in $dir and has programs take them.
for part in cuda nvrtc; do
  ${CC:-cc} -O1 -shared -fPIC "-DSTANDIN_HEADER=\"$PWD/tests/cuda/standin.h\"" \
    -o "$dir/$part.so" tests/cuda/standin_$part.c -ldl || exit 1
done
export DAGAZ_CUDA=$dir/cuda.so DAGAZ_NVRTC=$dir/nvrtc.so XDG_CACHE_HOME=$dir/cache
