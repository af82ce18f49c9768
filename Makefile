# Dagaz.  `make` builds ./dagaz, `make demo` runs the main job, `make check` passes the tests.
CC      = gcc
BUILD   = build
WARN    = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion \
          -Wstrict-prototypes -Wmissing-prototypes -Wswitch-enum -Wvla -Werror
CFLAGS  = -std=c11 -D_POSIX_C_SOURCE=200809L -O1 -g $(WARN) $(EXTRA)
SRC     = $(wildcard src/*/*.c)
OBJ     = $(SRC:%.c=$(BUILD)/%.o)
LIBOBJ  = $(filter-out $(BUILD)/src/cmd/%,$(OBJ))

all: $(BUILD)/dagaz

$(BUILD)/dagaz: $(OBJ)
	$(CC) $(CFLAGS) -o $@ $^ -lm

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

clean:
	rm -rf $(BUILD)

.PHONY: all clean
-include $(OBJ:.o=.d)
