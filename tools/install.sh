#!/bin/sh
# install.sh BUILD: `make install` into an empty folder, the manual page and the completions as
# their readers take them, `make uninstall`, which leaves nothing.
build=${1:-build}
cd "$(dirname "$0")/.." || exit 1
passed=0; failed=0; skipped=0
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "$1"; }
expect() { if eval "$2"; then ok; else bad "$1"; fi; }
have() { command -v "$1" > /dev/null || { skipped=$((skipped + 1)); false; }; }

dir="$tmp/a folder"
DAGAZ="$dir/usr/bin/dagaz"
make -s BUILD="$build" DESTDIR="$dir" PREFIX=/usr install > "$tmp/out" 2>&1 || bad "$(cat "$tmp/out")"
for file in bin/dagaz share/man/man1/dagaz.1 share/bash-completion/completions/dagaz \
            share/zsh/site-functions/_dagaz share/fish/vendor_completions.d/dagaz.fish \
            share/doc/dagaz/tutorial.md share/dagaz/editors/vim/syntax/futhark.vim \
            share/pkgconfig/dagaz.pc share/dagaz/cmake/dagazConfig.cmake; do
  expect "$file is not installed" '[ -s "$dir/usr/$file" ]'
done

share="$dir/usr/share"
have groff && expect "the manual page has warnings" \
  '[ -z "$(groff -man -ww -Tascii "$share/man/man1/dagaz.1" 2>&1 > "$tmp/page")" ]'
for command in $("$DAGAZ" help | sed -n 's/^  dagaz \([a-z]*\) .*/\1/p'); do
  expect "the manual page lacks $command" 'grep -q "^.SS dagaz $command " "$share/man/man1/dagaz.1"'
  expect "$command --help has no usage" '"$DAGAZ" $command --help | grep -q "^usage: dagaz $command"'
  expect "$command --help has no example" '"$DAGAZ" help $command | grep -q "^  .*dagaz $command"'
done
completes() {  # words on the line; the last one is completed
  bash -c 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dagaz; echo "${COMPREPLY[@]}"' \
    "$share/bash-completion/completions/dagaz" "$@"
}
if have bash; then
  expect "bash completes no command" '[ "$(completes dagaz gradc)" = gradcheck ]'
  expect "bash completes no option" '[ "$(completes dagaz check --We)" = --Werror ]'
fi
have zsh && expect "zsh rejects its completions" 'zsh -n "$share/zsh/site-functions/_dagaz"'
have fish && expect "fish rejects its completions" \
  'fish -n "$share/fish/vendor_completions.d/dagaz.fish"'

make -s BUILD="$build" DESTDIR="$dir" PREFIX=/usr uninstall > "$tmp/out" 2>&1
expect "make uninstall leaves $(find "$dir" -type f | head -3)" '[ -z "$(find "$dir" -type f)" ]'
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
