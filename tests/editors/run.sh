#!/bin/sh
# What editors/ has, in the editors themselves: Emacs and Vim without a screen, the VS Code extension
# by its own rules.   run.sh BUILD
build=$(cd "${1:-build}" && pwd)
cd "$(dirname "$0")" || exit 1
editors=$(cd ../../editors && pwd)
passed=0; failed=0; skipped=0
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
PATH=$build:$PATH; export PATH
have() { command -v "$1" > /dev/null || { echo "skipped: $1 is absent"; skipped=$((skipped + 1)); false; }; }
expect() {  # expect WHAT COMMAND..
  what=$1; shift
  if "$@" > "$work/out" 2>&1; then passed=$((passed + 1))
  else failed=$((failed + 1)); echo "FAILED $what"; head -20 "$work/out"; fi
}

if have emacs; then
  cp "$editors/emacs/dagaz-mode.el" "$work"
  expect "Emacs compiles the mode without warnings" emacs -Q --batch \
    --eval '(setq byte-compile-error-on-warn t)' -f batch-byte-compile "$work/dagaz-mode.el"
  expect "Emacs: faces and indentation" emacs -Q --batch -l "$work/dagaz-mode.elc" -l emacs.el
fi

if have vim; then
  cat > "$work/test.vim" << 'END'
set nocompatible
filetype plugin on
syntax on
edit sample.fut
function! Want(line, text, group)
  let column = stridx(getline(a:line), a:text) + 1
  let group = synIDattr(synID(a:line, column, 1), "name")
  if group !=# a:group
    call writefile([a:text . " is " . group . ", not " . a:group], $RESULT, "a")
  endif
endfunction
call Want(1, "Doc", "futDoc")
call Want(2, "def", "futKeyword")
call Want(2, "f64", "futType")
call Want(2, "not code", "futComment")
call Want(3, "inline", "futAttribute")
call Want(6, "if", "futControl")
call Want(7, "still", "futString")
call Want(8, "vjp", "futDerivative")
call Want(9, "#some", "futConstructor")
if &filetype !=# "futhark" || &commentstring !=# "-- %s" || &shiftwidth != 2
  call writefile(["the settings are not made"], $RESULT, "a")
endif
execute "edit " . $BAD
silent! make!
let found = filter(getqflist(), "v:val.valid")
if len(found) != 1 || found[0].lnum != 2 || found[0].col != 9 || found[0].text !~# "Unknown name"
  call writefile(["make: " . string(getqflist())], $RESULT, "a")
endif
qall!
END
  printf 'def f = 1i32\ndef g = zz\n' > "$work/bad.fut"
  touch "$work/result"
  RESULT=$work/result BAD=$work/bad.fut vim -es -u NONE --cmd "set runtimepath^=$editors/vim" \
    -S "$work/test.vim" < /dev/null > "$work/vim" 2>&1
  expect "Vim" sh -c 'cat "$0"; ! [ -s "$0" ]' "$work/result"
fi

if have node; then
  cd "$editors/vscode" || exit 1
  expect "the extension is JavaScript" node --check extension.js
  expect "what package.json names is there" node -e '
    const fs = require("fs"), p = JSON.parse(fs.readFileSync("package.json", "utf8"));
    const c = p.contributes, files = [p.main, "LICENSE", "README.md",
      ...c.languages.map(l => l.configuration), ...c.grammars.map(g => g.path)];
    for (const f of files) if (!fs.existsSync(f)) throw Error(f + " is missing");
    for (const f of files.filter(f => f.endsWith(".json"))) JSON.parse(fs.readFileSync(f, "utf8"));
    for (const k of ["name", "version", "publisher", "engines"]) if (!p[k]) throw Error(k);
    const code = fs.readFileSync(p.main, "utf8");
    for (const x of c.commands) if (!code.includes(x.command)) throw Error(x.command);
    const l = JSON.parse(fs.readFileSync("language-configuration.json", "utf8"));
    for (const r of [l.wordPattern, ...Object.values(l.indentationRules)]) new RegExp(r);'
fi
# Packed with the standard tool where it is: on PATH, or what `npm install` put beside the extension.
vsce=$(command -v vsce || ls "$editors/vscode/node_modules/.bin/vsce" 2> /dev/null)
if [ -n "$vsce" ]; then
  cp -R "$editors/vscode" "$work/vscode"
  rm -rf "$work/vscode/node_modules"
  expect "vsce packs the extension" sh -c 'cd "$1/vscode" &&
    "$0" package --allow-missing-repository --no-dependencies -o "$1/dagaz.vsix" &&
    [ -s "$1/dagaz.vsix" ]' "$vsce" "$work"
else
  skipped=$((skipped + 1))
  echo "skipped: the extension was not packed, for want of vsce (npm install in editors/vscode)"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
