// Time.
#pragma once
#include <stddef.h>
#define CLOCKS_PER_SEC 1000000L
typedef long time_t;
typedef long clock_t;
time_t time(time_t *at);
clock_t clock(void);
