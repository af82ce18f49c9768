#!/bin/sh
# The pages of `make site`: links, places, nothing from elsewhere; the search finds.   run.sh BUILD
# Python is $PYTHON or python3; without Python-Markdown: says so and skips.
build=$(cd "${1:-build}" && pwd)
cd "$(dirname "$0")/../.." || exit 1
python=${PYTHON:-python3}
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
if ! "$python" -c 'import markdown' 2> /dev/null; then
  # What a user sees then.
  message=$("$python" tools/site/build.py "$build/dagaz" "$work" 2>&1)
  case $message in *"pip install markdown"*) ;; *) echo "$message"; echo "0 passed, 1 failed"; exit 1 ;; esac
  echo "skipped: Python-Markdown is absent; the pages were not made"
  echo "1 passed, 0 failed, 1 skipped"
  exit 0
fi
"$python" tools/site/build.py "$build/dagaz" "$work" > "$work/out" || { cat "$work/out"; exit 1; }
"$python" tools/site/check.py "$work" > "$work/checked"; status=$?
sed '$d' "$work/checked"
summary=$(tail -1 "$work/checked")
if command -v node > /dev/null; then
  node -e '
    const { search } = require(process.argv[1] + "/search.js");
    const text = require("fs").readFileSync(process.argv[1] + "/search-index.js", "utf8");
    const index = JSON.parse(text.slice(text.indexOf("["), text.lastIndexOf("]") + 1));
    const first = { cholesky: /cholesky/, "memory limit": /html/, "--library": /html/,
                    stop_gradient: /lib-ad.html#.*stop_gradient|lib-ad.html/ };
    let bad = 0;
    for (const [query, address] of Object.entries(first)) {
      const found = search(index, query);
      if (!found.length || !address.test(found[0][0])) { bad++; console.log(query, found[0]); }
    }
    if (search(index, "xyzzy").length) bad++;
    process.exit(bad);' "$work" || { echo "0 passed, 1 failed"; exit 1; }
else
  echo "skipped: node is absent; the search was not run"
fi
echo "$summary"
exit $status
