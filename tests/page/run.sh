#!/bin/sh
# The page (`make page`): its module against the native compiler, and the page itself in headless Chromium.
#   run.sh BUILD [FOLDER]   FOLDER: for screenshots
# What is absent (clang for wasm32-wasi, node, Chromium) is said to be, and what needs it is skipped.
build=${1:-build}
cd "$(dirname "$0")/../.." || exit 1
said=$(mktemp); trap 'rm -f "$said"' EXIT
if ! command -v node > /dev/null; then
  echo "skipped: node is absent; the page was not tested"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
make -s page BUILD="$build" > "$said" 2>&1; status=$?
if [ $status != 0 ] && grep -q '^make page needs' "$said"; then
  echo "skipped: $(grep '^make page needs' "$said")"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
[ $status = 0 ] || { cat "$said"; echo "0 passed, 1 failed"; exit 1; }
tail -1 "$said"
node tests/page/module.js "$build" > "$said"; module=$?
sed '$d' "$said"
passed=$(sed -n '$s/ passed.*//p' "$said"); failed=$(sed -n '$s/.*passed, \([0-9]*\).*/\1/p' "$said"); skipped=0
[ $module = 0 ] || [ "${failed:-0}" != 0 ] || failed=1
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -n "$browser" ]; then
  node tests/page/page.js "$browser" "$build/page/dagaz.html" ${2:+"$2"} > "$said"; page=$?
  sed '$d' "$said"
  passed=$((passed + $(sed -n '$s/ passed.*//p' "$said")))
  failed=$((failed + $(sed -n '$s/.*passed, \([0-9]*\).*/\1/p' "$said")))
  [ $page = 0 ] || [ "$failed" != 0 ] || failed=1
else
  echo "skipped: Chromium is absent; the page was not opened"; skipped=1
fi
echo "$passed passed, $failed failed$([ $skipped = 0 ] || echo ", $skipped skipped")"
[ "$failed" = 0 ]
