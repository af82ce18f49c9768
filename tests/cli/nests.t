$ dagaz ir -O $DAGAZ_ROOT/tests/cli/nests.fut | awk '/^fn / { f = $2 } / = (map|reduce|scan|hist|withacc|loop|sin|cos|exp) / { for (i = 1; i < NF; i++) if ($i == "=") s[f] = s[f] " " $(i + 1) } END { print "nest" s["nest"]; print "nest3" s["nest3"] }'
nest map map sin exp cos
nest3 map map map cos
