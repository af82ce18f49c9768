#!/bin/sh
# The derivative tests by dual arrays, interpreted.  The programs left out are those that the
# strategy refuses (each message has a line in tests/cli/dual.t), and two whose expectations are of
# reverse mode: second derivatives at infinity, and the number of functions searched.
D=$1
out="call_sums checked_operators custom cuts growing hist_loops hist_scatter integers lib_invertible
     loops masks recursion reduce_scan scalars tail_calls ties ties_last writes
     safe lib_sparse"
files=""
for f in tests/ad/*.fut tests/large/ad/lib_users.fut; do
  case " $(echo $out) " in *" $(basename "$f" .fut) "*) ;; *) files="$files $f" ;; esac
done
exec "$D/dagaz" test --interp --strategy dual $files
