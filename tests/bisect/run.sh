#!/bin/sh
# tools/bisect.sh names what is to blame: tests/bisect/run.sh BUILD.  The compiler is right, so a
# script around it gives wrong results after one pass, or of compiled programs unless one is left out.
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0
cat > "$tmp/walk.fut" <<'EOF'
def walk [n] (xs: [n]f64) = loop a = copy xs for i < n - 1 do a with [i + 1] = a[i] * a[i + 1]
entry main [n] (xs: [n]f64) = vjp (\ys -> (walk ys)[n - 1]) xs 1
EOF

dagaz_that() {  # dagaz_that NAME CASE..: a script that prints a wrong result in these cases
  printf '#!/bin/sh\ncase "$*" in %s) echo "[6f64, 4.5f64, 4f64]" ;; *) exec %s "$@" ;; esac\n' \
    "$2" "$build/dagaz" > "$tmp/$1"
  chmod +x "$tmp/$1"
}
says() {  # says DAGAZ TEXT
  got=$(echo '[1.5, 2, 3]' | TMPDIR=$tmp sh tools/bisect.sh "$1" "$tmp/walk.fut" main 2>&1)
  case $got in
  *"$2"*) passed=$((passed + 1)) ;;
  *) failed=$((failed + 1)); echo "FAILED: expected \"$2\", got: $got" ;;
  esac
}

dagaz_that second '*--interp*_cse.ir|*--interp*_remat.ir'
dagaz_that imp '*--interp*|*"--without hoist-allocs"*|ir*) exec '"$build"'/dagaz "$@" ;; *'
dagaz_that always '*--interp*|ir*) exec '"$build"'/dagaz "$@" ;; *'
says "$build/dagaz" "no pass changes the result"
says "$tmp/second" "005_cse changes the result"
says "$tmp/imp" "without hoist-allocs the compiled result is right"
says "$tmp/always" "wrong whatever is left out"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
