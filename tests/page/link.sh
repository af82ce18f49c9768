#!/bin/sh
# The sources of the page and its stand-ins for an operating system (page/os.c) leave no name undefined:
# with the machine's own compiler, so that commands that the page lacks are noticed without WebAssembly.
#   link.sh BUILD
build=${1:-build}
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
objects=
for source in $(make -s -f page/Makefile BUILD="$build" sources); do
  case $source in
    page/setjmp.c) ;;
    page/os.c) ;;
    *) objects="$objects $build/${source%.c}.o" ;;
  esac
done
cc=${CC:-cc}
"$cc" -std=c11 -Isrc -I. -D_POSIX_C_SOURCE=200809L -c -o "$tmp/os.o" page/os.c &&
  "$cc" -o "$tmp/page" $objects "$tmp/os.o" "$build/embedded.o" -lm -ldl && "$tmp/page" version > /dev/null
