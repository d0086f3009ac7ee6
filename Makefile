# tpcc-run: one hand-written, non-recursive Makefile. `make help` lists the targets.
# Every folder under src/ but cmd/ becomes one archive; programs link all of them, the unit tests of
# a folder those that the floor table in src/README.md allows it.
# Variables: VARIANT=release|debug|asan|tsan|cov|fuzz, BUILD (where objects go), CC, V=1, WERROR=1,
# PREFIX and DESTDIR (install), FUZZ_SECONDS, REQUIRE_ALL=1 (a skipped test is a failed one).

VARIANT ?= release
BUILD ?= build
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 30
B := $(BUILD)/$(VARIANT)
Q := $(if $(V),,@)
ifeq ($(origin CC),default)
CC := gcc
endif

# Debian packages: to build and run; what the tests need besides; what `make lint` needs besides.
DEPS := gcc libc6-dev pkg-config libpq-dev libyaml-dev libjansson-dev postgresql postgresql-contrib
DEPS_TEST := libcunit1-dev clang-format fdisk btrfs-progs xfsprogs e2fsprogs util-linux sysstat fio
DEPS_LINT := clang clang-tidy libclang-rt-14-dev cppcheck shellcheck

# Looked up when used, not when read: they may get installed by this very make.
PKGS := libpq yaml-0.1 jansson
PKG_CFLAGS = $(patsubst -I%,-isystem %,$(shell pkg-config --cflags $(PKGS)))
PKG_LIBS = $(shell pkg-config --libs $(PKGS))

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes \
 -Wmissing-prototypes -Wold-style-definition -Wcast-qual -Wwrite-strings -Wpointer-arith -Wundef \
 -Wvla -Wformat=2 -Wswitch-enum -Wdouble-promotion -Wnull-dereference
CFLAGS_release := -O2 -g -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE
CFLAGS_debug := -O0 -g3 -DDEBUG -fPIE
CFLAGS_asan := -O1 -g -DDEBUG -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
CFLAGS_tsan := -O1 -g -DDEBUG -fsanitize=thread -fno-omit-frame-pointer
CFLAGS_cov := -O0 -g --coverage
CFLAGS_fuzz := -O1 -g -DDEBUG -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all
LDFLAGS_release := -pie -Wl,-z,relro,-z,now
LDFLAGS_asan := -fsanitize=address,undefined
LDFLAGS_tsan := -fsanitize=thread
LDFLAGS_cov := --coverage
LDFLAGS_fuzz := -fsanitize=address,undefined

CPPFLAGS_ALL = -D_GNU_SOURCE -Isrc -Itests/unit $(PKG_CFLAGS) $(CPPFLAGS)
CFLAGS_ALL = -std=c17 $(WARN) $(if $(WERROR),-Werror) $(CFLAGS_$(VARIANT)) $(CFLAGS)
LIBS_ALL = -Wl,--as-needed $(PKG_LIBS) -lm -lpthread

# FOLDERS and ALLOW_<folder>, from the floor table.
$(BUILD)/floors.mk: src/README.md tests/lint/floors.awk
	$(Q)mkdir -p $(@D) && awk -v mode=make -f tests/lint/floors.awk src/README.md >$@.new && mv $@.new $@
include $(BUILD)/floors.mk

objects = $(patsubst %.c,$(B)/%.o,$(wildcard $(1)/*.c))
archive = $(if $(wildcard src/$(1)/*.c),$(B)/lib$(1).a)
ARCHIVES := $(foreach f,$(FOLDERS),$(call archive,$(f)))
CMD_MAINS := $(shell grep -ls '^int main\>' src/cmd/*.c)
CMD_SHARED := $(filter-out $(CMD_MAINS),$(wildcard src/cmd/*.c))
PROGRAMS := $(subst _,-,$(patsubst src/cmd/%.c,%,$(CMD_MAINS)))
UNIT_FOLDERS := $(filter-out harness,$(patsubst tests/unit/%/,%,$(sort $(dir $(wildcard tests/unit/*/*_test.c)))))
UNITS := $(UNIT_FOLDERS:%=unit-%)
FUZZERS := $(patsubst tests/fuzz/%.c,fuzz-%,$(wildcard tests/fuzz/*.c))

.DEFAULT_GOAL := all
.SECONDEXPANSION:
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all $(UNITS)

all: $(ARCHIVES) $(PROGRAMS:%=$(B)/%) ## builds the programs into build/release

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC    $<")
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

# The one place that is compiled in: where `make install` puts schema, workloads and config.
$(patsubst %.c,$(B)/%.o,$(shell grep -lsr TPCC_DATA_DIR --include='*.c' src)): CPPFLAGS += -DTPCC_DATA_DIR='"$(PREFIX)/share/tpcc-run"'

define folder_rules
$(B)/lib$(1).a: $(call objects,src/$(1))
endef
$(foreach f,$(FOLDERS),$(eval $(call folder_rules,$(f))))

$(B)/lib%.a:
	$(if $(V),,@echo "  AR    $@")
	$(Q)rm -f $@ && ar rcs $@ $^

define link
$(if $(V),,@echo "  LD    $@")
$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS_$(VARIANT)) $(LDFLAGS) -o $@ $(filter %.o,$^) \
 -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(1) $(LIBS_ALL)
endef

define program_rules
$(B)/$(subst _,-,$(1)): $(B)/src/cmd/$(1).o $(CMD_SHARED:%.c=$(B)/%.o) $(ARCHIVES)
	$$(link)
endef
$(foreach p,$(CMD_MAINS:src/cmd/%.c=%),$(eval $(call program_rules,$(p))))

# The suites of a folder: every line "const struct unit_suite NAME" of its *_test.c.
$(B)/tests/unit/%/suites.c: $$(wildcard tests/unit/%/*_test.c) tests/unit/harness/suites.sh
	@mkdir -p $(@D)
	$(Q)sh tests/unit/harness/suites.sh $(filter %.c,$^) >$@

$(B)/tests/unit/%/suites.o: $(B)/tests/unit/%/suites.c
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -c -o $@ $<

define unit_rules
$(B)/unit-$(1): $(call objects,tests/unit/$(1)) $(B)/tests/unit/$(1)/suites.o \
 $(call objects,tests/unit/harness) $(foreach f,$(1) $(ALLOW_$(1)),$(call archive,$(f)))
	$$(call link,-lcunit)
unit-$(1): $(B)/unit-$(1)
	$(Q)$(B)/unit-$(1) $$(T)
endef
$(foreach f,$(UNIT_FOLDERS),$(eval $(call unit_rules,$(f))))

-include $(shell find $(B) -name '*.d' 2>/dev/null)
