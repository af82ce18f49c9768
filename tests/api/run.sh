#!/bin/sh
# The library interface for C++ under sanitizers, and the files `make install` gives to CMake and
# pkg-config, each with a small project.   run.sh BUILD
build=$(cd "${1:-build}" && pwd)
cd "$(dirname "$0")/../.." || exit 1
passed=0; failed=0; skipped=0
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
have() { command -v "$1" > /dev/null || { echo "skipped: $1 is absent"; skipped=$((skipped + 1)); false; }; }
expect() {  # expect WHAT COMMAND..
  what=$1; shift
  if "$@" > "$work/out" 2>&1; then passed=$((passed + 1))
  else failed=$((failed + 1)); echo "FAILED $what"; head -20 "$work/out"; fi
}
sanitizers="-g -fsanitize=address,undefined -fno-sanitize-recover=all"
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"

cp tests/api/everything.* "$work"
expect "dagaz c --cpp" "$build/dagaz" c -w --library --cpp "$work/everything.fut"
expect "its C" gcc -O1 $sanitizers -Wall -Wextra -pedantic -std=c99 -c -o "$work/lib.o" "$work/everything.c"
for compiler in "g++ -std=c++17" "clang++ -std=c++17" "g++ -std=c++20"; do
  have ${compiler%% *} || continue
  expect "$compiler" $compiler $warnings $sanitizers -I "$work" -o "$work/test" \
    tests/api/everything.cpp "$work/lib.o" -lm -lpthread
  expect "$compiler: its run" "$work/test"
done

prefix="$work/a place"
expect "make install" make -s BUILD="$build" PREFIX="$prefix" install
mkdir "$work/project"
printf 'import "part"\nentry twice (x: f64) = half (4 * x)\n' > "$work/project/line.fut"
printf 'def half (x: f64) = x / 2\n' > "$work/project/part.fut"
cat > "$work/project/main.cpp" << 'END'
#include "line.hpp"
int main() { return line::twice(line::context(), 21) != 42; }
END
cat > "$work/project/CMakeLists.txt" << 'END'
cmake_minimum_required(VERSION 3.16)
project(line C CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(dagaz REQUIRED)
dagaz_add_library(line line.fut CPP)
add_executable(main main.cpp)
target_link_libraries(main PRIVATE line)
END
if have cmake; then
  expect "cmake" cmake -S "$work/project" -B "$work/made" -DCMAKE_PREFIX_PATH="$prefix"
  expect "cmake --build" cmake --build "$work/made"
  expect "its program" "$work/made/main"
  sleep 1
  printf 'def half (x: f64) = x / 4\n' > "$work/project/part.fut"
  expect "cmake --build again" cmake --build "$work/made"
  expect "an imported file changed" sh -c '! "$0"' "$work/made/main"
fi
cat > "$work/main.c" << 'END'
#include "line.h"
int main(void) {
  struct futhark_context_config *config = futhark_context_config_new();
  struct futhark_context *ctx = futhark_context_new(config);
  double y;
  int bad = futhark_entry_twice(ctx, &y, 21) != 0 || y != 21;
  futhark_context_free(ctx);
  futhark_context_config_free(config);
  return bad;
}
END
if have pkg-config; then
  PKG_CONFIG_PATH="$prefix/share/pkgconfig"; export PKG_CONFIG_PATH
  # A folder with a blank in its name is escaped for a shell.
  expect "pkg-config" sh -c "cd '$work' && $(pkg-config --variable=compiler dagaz) c --library \
    -o line project/line.fut && cc -w \$(pkg-config --cflags dagaz) -o main main.c line.c \
    \$(pkg-config --libs dagaz) && ./main"
  expect "its version" sh -c 'pkg-config --modversion dagaz | grep -q "^[0-9]"'
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
