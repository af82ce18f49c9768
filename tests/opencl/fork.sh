# child_fails BACKEND: a child of a process that has opened the device gets an error, and does not
# wait for ever (fork.c).  Its output is in $dir/out.
child_fails() {
  "$dagaz" "$1" --library "$dir/twice.fut" -o "$dir/twice_library" &&
    ${CC:-cc} -O1 -I"$dir" -o "$dir/fork" tests/opencl/fork.c "$dir/twice_library.c" \
      -lm -lpthread -ldl &&
    "$dir/fork" > "$dir/out" 2>&1 &&
    grep -q 'child: Error: the device was opened before fork' "$dir/out" &&
    grep -q 'after: 2 4' "$dir/out"
}
