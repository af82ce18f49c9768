# Dagaz.  `make` builds ./build/dagaz, `make demo` runs the main job, `make check` passes the tests.
# Build lines are short; V=1 shows them whole.
V      = 0
Q      = $(if $(filter 1,$(V)),,@)
SAY    = $(if $(filter 1,$(V)),@:,@printf '%-4s %s\n')
# gcc where it is, else the system's C compiler
ifeq ($(origin CC),default)
CC     := $(shell command -v gcc > /dev/null 2>&1 && echo gcc || echo cc)
endif
BUILD  = build
# Warnings are errors in .ci/run only: another compiler has others.
WERROR =
WARN   = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes \
         -Wmissing-prototypes -Wswitch-enum -Wvla -Wno-maybe-uninitialized \
         -Wno-unknown-warning-option $(WERROR)
CFLAGS = -std=c11 -Isrc -I. -D_POSIX_C_SOURCE=200809L -ffp-contract=off -O2 -g $(WARN) $(EXTRA)
SAN    = -O1 -fsanitize=address,undefined -fno-sanitize-recover=all

SRC    = $(wildcard src/*/*.c src/*/*/*.c)
OBJ    = $(SRC:%.c=$(BUILD)/%.o) $(BUILD)/embedded.o
LIBOBJ = $(filter-out $(BUILD)/src/cmd/%,$(OBJ))
UNIT   = $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/test_*.c))
FUZZ   = $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))

all: $(BUILD)/dagaz

$(BUILD)/dagaz: $(filter $(BUILD)/src/cmd/%,$(OBJ)) $(BUILD)/libdagaz.a
	$(SAY) LINK $@
	$(Q)$(CC) $(CFLAGS) -o $@ $^ -lm -lpthread

$(BUILD)/libdagaz.a: $(LIBOBJ)
	$(SAY) AR $@
	@rm -f $@
	$(Q)ar rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(SAY) CC $<
	$(Q)$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

# The runtime and the prelude travel inside the compiler.
$(BUILD)/scalars.txt: $(wildcard rts/*.h)
	@mkdir -p $(@D)
	$(Q)$(CC) -E -P rts/device.h > $@.tmp && mv $@.tmp $@
$(BUILD)/embedded.c: tools/embed.sh $(BUILD)/scalars.txt $(wildcard rts/* lib/*/*.fut lib/*.fut lib/c/*) src/ad/loops/schedule.ir
	@mkdir -p $(@D)
	$(SAY) GEN $@
	$(Q)sh tools/embed.sh $(BUILD)/scalars.txt > $@.tmp && mv $@.tmp $@
$(BUILD)/embedded.o: $(BUILD)/embedded.c
	$(SAY) CC $<
	$(Q)$(CC) -std=c11 -O0 -I. -Isrc -c -o $@ $<

$(BUILD)/unit/%: tests/unit/%.c tests/unit/unit.h $(BUILD)/libdagaz.a
	@mkdir -p $(@D)
	$(SAY) CC $<
	$(Q)$(CC) $(CFLAGS) -fopenmp-simd -o $@ $< $(BUILD)/libdagaz.a -lm -lpthread

# libFuzzer targets, clang only: make fuzz-build CC=clang BUILD=build-fuzz
FUZZLIB = $(foreach d,base diag prim values ctext syntax check lsp core imp/common pkg,$(filter $(BUILD)/src/$d/%,$(OBJ)))
$(BUILD)/fuzz/%: tests/fuzz/%.c $(FUZZLIB) $(BUILD)/embedded.o
	@mkdir -p $(@D)
	$(SAY) CC $<
	$(Q)$(CC) $(CFLAGS) -Isrc -fsanitize=fuzzer -o $@ $< $(FUZZLIB) $(BUILD)/embedded.o -lm -lpthread
fuzz-build: $(FUZZ)

unit: $(UNIT)
demo: all
	sh tools/demo.sh $(BUILD)
# Tests in tiers: tools/suites.txt has the suites.  `make check-ad` runs those that cover src/ad.
check:
	@sh tools/check.sh check
check-%:
	@sh tools/check.sh $*
# A hundred thousand random programs, five thousand in C; SEED continues elsewhere
check-long: all
	$(BUILD)/dagaz fuzz --programs 100000 --seed $(or $(SEED),1) --compile-every 499 --brief
	sh tools/fuzz_targets.sh $(BUILD)/dagaz $(or $(SEED),1200000) 5000
	sh tests/c/batch.sh $(BUILD)/dagaz $(or $(SEED),200000) 5000
bench: all
	sh bench/run.sh $(BUILD)
bench-c: all
	sh bench/c/hand/run.sh $(BUILD)/dagaz bench
bench-ad: all
	sh bench/ad/run.sh $(BUILD)
bench-strategies: all
	$(CC) $(CFLAGS) -o $(BUILD)/strategy_counts bench/strategies/counts.c $(BUILD)/libdagaz.a -lm -lpthread
	python3 bench/strategies/table.py $(BUILD)/dagaz $(BUILD)/strategy_counts $(BUILD)/bench-strategies \
	  $(addprefix bench/strategies/models/,$(addsuffix .fut,dot trace bilinear factorisation bundle lstm mlp clusters logistic layers))
bench-micro: all
	python3 bench/strategies/micro.py $(BUILD)/dagaz $(BUILD)/bench-micro
bench-par: all
	sh bench/par/run.sh $(BUILD)
asan:
	$(MAKE) BUILD=build-asan EXTRA="$(SAN)" all unit
# The same with short first blocks of arenas and lists: two objects differ
stress: asan
	rm -rf build-stress && cp -a build-asan build-stress
	cd build-stress && rm -r src/base/arena.o src/base/list.o libdagaz.a dagaz unit
	$(MAKE) BUILD=build-stress EXTRA="-DDAGAZ_STRESS $(SAN)" all unit
bless: all
	sh tools/runtests --bless $(BUILD)/dagaz tests/core tests/pass tests/bulk tests/cli
# The manual page and the completions come from the program's own table of commands.
ROOT  = "$(DESTDIR)$(or $(PREFIX),/usr/local)"
SHARE = $(ROOT)/share
MAN   = $(SHARE)/man/man1
BASH  = $(SHARE)/bash-completion/completions
ZSH   = $(SHARE)/zsh/site-functions
FISH  = $(SHARE)/fish/vendor_completions.d
install: all
	install -D $(BUILD)/dagaz $(ROOT)/bin/dagaz
	@mkdir -p $(MAN) $(BASH) $(ZSH) $(FISH) $(SHARE)/doc/dagaz $(SHARE)/dagaz
	$(BUILD)/dagaz help --man > $(MAN)/dagaz.1
	$(BUILD)/dagaz completion bash > $(BASH)/dagaz
	$(BUILD)/dagaz completion zsh > $(ZSH)/_dagaz
	$(BUILD)/dagaz completion fish > $(FISH)/dagaz.fish
	cp README.md LICENSE doc/*.md $(SHARE)/doc/dagaz
	cp -R editors $(SHARE)/dagaz
	@mkdir -p $(SHARE)/pkgconfig $(SHARE)/dagaz/cmake
	install -m 644 tools/cmake/dagazConfig.cmake $(SHARE)/dagaz/cmake
	sed "s/VERSION/$$($(BUILD)/dagaz version | tr -dc '0-9.')/" tools/cmake/dagaz.pc \
	  > $(SHARE)/pkgconfig/dagaz.pc
uninstall:
	rm -f $(ROOT)/bin/dagaz $(MAN)/dagaz.1 $(BASH)/dagaz $(ZSH)/_dagaz $(FISH)/dagaz.fish
	rm -f $(SHARE)/pkgconfig/dagaz.pc
	rm -rf $(SHARE)/doc/dagaz $(SHARE)/dagaz
# The documentation as web pages, for any reader of files: build/site/index.html
site: all
	$(or $(PYTHON),python3) tools/site/build.py $(BUILD)/dagaz $(BUILD)/site
# The compiler in one HTML file, which opens from the file system: build/page/dagaz.html (doc/page.md)
page: $(BUILD)/embedded.c
	@$(MAKE) --no-print-directory -f page/Makefile BUILD=$(BUILD)
clean:
	rm -rf build build-*

.PHONY: all site page unit demo check check-long bench bench-c bench-ad bench-par bench-micro bench-strategies asan stress bless install uninstall clean fuzz-build
-include $(OBJ:.o=.d)
