$ cp $DAGAZ_ROOT/tests/cli/threads.c main.c; dagaz c --library $DAGAZ_ROOT/tests/cli/threads.fut -o threads; echo "int main(void) { return 0; }" > t.c; (cc -fsanitize=thread t.c -o t && ./t) > t.log 2>&1 && echo -fsanitize=thread > flag; touch flag
$ cc -O1 -g -w $(cat flag) main.c threads.c -lm -lpthread -o main
$ ./main 8 40 2>&1 | tail -30
0 wrong
$ ./main 8 40 own 2>&1 | tail -30
0 wrong
