$ # No index is tested in loops over elements; each entry point but one, whose places are bent at the ends, has vector code.
$ dagaz ir -w -O --imp $DAGAZ_ROOT/tests/cli/stencils.fut > imp; grep -c '^fn' imp; grep -c '^      *test ' imp; awk '/^fn/ { name = $2 } /parallel simd/ { has[name] = 1 } END { for (n in has) k++; print k }' imp
26
0
25
