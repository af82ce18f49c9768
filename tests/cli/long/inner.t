$ cp $DAGAZ_ROOT/tests/cli/inner.c .
$ for f in untagged tagged named members; do dagaz adjoint inner.c --head "$f" --context -o $f && gcc -std=c11 -Wall -Wextra -Werror -O1 -fsanitize=address,undefined -o check ${f}_check.c inner.c ${f}_d.c ${f}_b.c -lm && ./check | sed "1s/.*/$f/" | grep -v differences; done
untagged
  adjoint, dot product with tangent:               relative deviation 1e-16
they agree
tagged
  adjoint, dot product with tangent:               relative deviation 4e-17
they agree
named
  adjoint, dot product with tangent:               relative deviation 8e-17
they agree
members
  adjoint, dot product with tangent:               relative deviation 8e-17
they agree
$ grep -n "struct\|enum" tagged_b.c members_d.c
tagged_b.c:8:struct tagged_pair {
tagged_b.c:12:enum tagged_color {
tagged_b.c:16:struct tagged_p {
tagged_b.c:24:  struct tagged_pair v;
tagged_b.c:26:  struct tagged_p p = {0};
tagged_b.c:32:  enum tagged_color c = x > 0 ? tagged_RED : tagged_GREEN;
members_d.c:7:struct inside_local {
members_d.c:10:static const struct setting_type setting = {1.5, 2};
members_d.c:11:static double inside_d(struct outer *o, outer_diff *od, double x, double xd, double *inside);
members_d.c:18:  struct outer o = {.t = {x, HIGH}};
members_d.c:32:static double inside_d(struct outer *o, outer_diff *od, double x, double xd, double *inside) {
members_d.c:34:  struct inside_local local = {x*o->t.z};
