# tpcc-run: one hand-written, non-recursive Makefile. `make help` lists the targets.
# Every folder under src/ but cmd/ becomes one archive; programs link all of them, the unit tests of
# a folder those that its row of the floor table in src/README.md leads to.
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

# Debian packages: to build and run; what the tests need besides; what `make soak`, `make deb` and `make lint`
# need besides.
DEPS := gcc libc6-dev pkg-config libpq-dev unixodbc-dev libyaml-dev libjansson-dev zlib1g-dev libblkid-dev libfdisk-dev uuid-dev libjs-dygraphs postgresql fio nvme-cli
DEPS_TEST := odbc-postgresql odbc-mariadb mariadb-server tdsodbc libcunit1-dev clang-format fdisk btrfs-progs xfsprogs e2fsprogs util-linux sysstat nbdkit libnbd-bin chromium poppler-utils lintian dpkg-dev openssh-server procps
DEPS_SOAK := qemu-system-x86 busybox-static lvm2 mdadm cryptsetup-bin bcache-tools cpio kmod smartmontools systemd dbus dbus-user-session
DEPS_DEB := dpkg-dev
DEPS_LINT := clang clang-tidy libclang-rt-14-dev cppcheck shellcheck

# Looked up when used, not when read: they may get installed by this very make.
PKGS := libpq odbc odbcinst yaml-0.1 jansson zlib blkid fdisk uuid
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
export ASAN_OPTIONS ?= detect_leaks=1:detect_stack_use_after_return=1:allocator_may_return_null=1
export UBSAN_OPTIONS ?= halt_on_error=1:print_stacktrace=1
export TSAN_OPTIONS ?= halt_on_error=1:second_deadlock_stack=1:allocator_may_return_null=1:suppressions=$(CURDIR)/tests/tsan.supp

CPPFLAGS_ALL = -D_GNU_SOURCE -Isrc -Itests/unit $(PKG_CFLAGS) $(CPPFLAGS)
CFLAGS_ALL = -std=c17 $(WARN) $(if $(WERROR),-Werror) $(CFLAGS_$(VARIANT)) $(CFLAGS)
LIBS_ALL = -Wl,--as-needed $(PKG_LIBS) -lm -lpthread

# FOLDERS and LINK_<folder>, from the floor table.
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
.PHONY: FORCE all install deb deps unit check tests built demo picture asan tsan cov fuzz run-fuzz format format-check \
 lint run-lint bench soak golden clean help $(UNITS)

all: $(ARCHIVES) $(PROGRAMS:%=$(B)/%) ## builds the programs into build/release

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC    $<")
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

# Where `make install` puts schema, workloads and config is compiled in, and again if it changes.
DATA_DIR := $(PREFIX)/share/tpcc-run
DATA_DIR_USERS := $(patsubst %.c,$(B)/%.o,$(shell grep -lrs TPCC_DATA_DIR --include='*.c' src tests))
$(DATA_DIR_USERS): CPPFLAGS += -DTPCC_DATA_DIR='"$(DATA_DIR)"'
$(DATA_DIR_USERS): $(B)/data-dir
$(B)/data-dir: FORCE
	@mkdir -p $(@D) && echo '$(DATA_DIR)' | cmp -s - $@ || echo '$(DATA_DIR)' >$@

# The folder itself counts too: a file that has gone leaves the archive.
define folder_rules
$(B)/lib$(1).a: $(call objects,src/$(1)) src/$(1)
endef
$(foreach f,$(FOLDERS),$(eval $(call folder_rules,$(f))))

# Style and scripts of report.html, as arrays in the program; DYGRAPHS: where Debian installs it.
DYGRAPHS ?= /usr/share/javascript/dygraphs
PAGE_STYLE := $(DYGRAPHS)/dygraph.min.css src/report/page.css src/report/compare.css src/report/sweep.css
PAGE_PARTS := page_base page_data page_figures page_marks page_cursor page_chart page_time page_controls page compare ladder targets
PAGE_SCRIPT := $(DYGRAPHS)/dygraph.min.js $(DYGRAPHS)/src-es5/extras/synchronizer.js $(PAGE_PARTS:%=src/report/%.js)
$(DYGRAPHS)/%:
	@echo "$@ is missing: it comes with libjs-dygraphs (make deps); elsewhere: make DYGRAPHS=DIR" >&2; exit 1
$(B)/src/report/page_assets.c: src/report/embed.sh $(PAGE_STYLE) $(PAGE_SCRIPT)
	@mkdir -p $(@D)
	$(if $(V),,@echo "  EMBED $@")
	$(Q)sh $< style $(PAGE_STYLE) -- script $(PAGE_SCRIPT) >$@
$(B)/src/report/page_assets.o: $(B)/src/report/page_assets.c
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -c -o $@ $<
$(B)/libreport.a: $(B)/src/report/page_assets.o

$(B)/lib%.a:
	$(if $(V),,@echo "  AR    $@")
	$(Q)rm -f $@ && ar rcs $@ $(filter %.o,$^)

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
$(B)/tests/unit/%/suites.c: $$(wildcard tests/unit/%/*_test.c) tests/unit/harness/suites.sh tests/unit/%
	@mkdir -p $(@D)
	$(Q)sh tests/unit/harness/suites.sh $(filter %.c,$^) >$@

$(B)/tests/unit/%/suites.o: $(B)/tests/unit/%/suites.c
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -c -o $@ $<

define unit_rules
$(B)/unit-$(1): $(call objects,tests/unit/$(1)) $(B)/tests/unit/$(1)/suites.o \
 $(call objects,tests/unit/harness) $(foreach f,$(sort $(1) $(LINK_$(1))),$(call archive,$(f)))
	$$(call link,-lcunit)
unit-$(1): $(B)/unit-$(1)
	$(Q)$(B)/unit-$(1) $$(T)
endef
$(foreach f,$(UNIT_FOLDERS),$(eval $(call unit_rules,$(f))))

# A fuzz target is a program that replays files, or with VARIANT=fuzz one that libFuzzer drives.
FUZZ_MAIN := $(if $(filter fuzz,$(VARIANT)),,$(B)/tests/fuzz/harness/replay.o)
define fuzz_rules
$(B)/fuzz-$(1): $(B)/tests/fuzz/$(1).o $(FUZZ_MAIN) $(ARCHIVES)
	$$(call link,$(if $(FUZZ_MAIN),,-fsanitize=fuzzer))
endef
$(foreach f,$(FUZZERS:fuzz-%=%),$(eval $(call fuzz_rules,$(f))))

# Programs that scripts of tests need besides ours: tests/integration/foo_driver.c -> foo-driver.
DRIVERS := $(subst _,-,$(patsubst tests/integration/%.c,%,$(wildcard tests/integration/*_driver.c)))
define driver_rules
$(B)/$(1): $(B)/tests/integration/$(subst -,_,$(1)).o $(ARCHIVES)
	$$(link)
endef
$(foreach d,$(DRIVERS),$(eval $(call driver_rules,$(d))))

built: all $(UNITS:%=$(B)/%) $(FUZZERS:%=$(B)/%) $(DRIVERS:%=$(B)/%)

# Builds, then runs the tests of these kinds (tests/run.sh), which closes with their counts.
# Built with as many jobs as there are processors, where -j does not say.
define run_tests
$(Q)+$(MAKE) $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc)) --no-print-directory built || { echo "the build failed"; echo "0 passed, 1 failed, 0 skipped"; exit 1; }
$(Q)VARIANT=$(VARIANT) BUILD=$(BUILD) CC=$(CC) tests/run.sh $(1)
endef

install: all ## installs programs, schema, workloads, config and man pages under DESTDIR and PREFIX
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(DATA_DIR) $(DESTDIR)$(PREFIX)/share/man/man1
	$(Q)for p in $(PROGRAMS); do install -m 755 $(B)/$$p $(DESTDIR)$(PREFIX)/bin || exit 1; done
	$(Q)for d in $(wildcard schema workloads config); do cp -R $$d $(DESTDIR)$(DATA_DIR); done
	$(Q)for p in $(PROGRAMS); do \
	    if $(B)/$$p --man >$(B)/$$p.1 2>/dev/null && [ -s $(B)/$$p.1 ]; then \
	        install -m 644 $(B)/$$p.1 $(DESTDIR)$(PREFIX)/share/man/man1; fi; done

deb: ## builds a Debian package of what install installs, into build/deb
	$(Q)tests/install_deps.sh $(DEPS) $(DEPS_DEB)
	$(Q)rm -rf $(BUILD)/deb
	$(Q)$(MAKE) --no-print-directory PREFIX=/usr DESTDIR=$(abspath $(BUILD)/deb/root) install
	$(Q)sh src/deb/build.sh $(BUILD)/deb/root $(BUILD)/deb

deps: ## installs what is missing of the Debian packages that build, run and tests need
	$(Q)tests/install_deps.sh $(DEPS) $(DEPS_TEST)

unit: ## floors, format, reference, unit tests, goldens, fuzz replay: no server, under a minute
	$(call run_tests,static unit golden fuzz)

check: deps ## all tests: unit, integration, end to end, self-measure
	$(call run_tests,static unit golden fuzz integration e2e perf)

tests: ## the tests of KINDS="unit e2e ..." only
	$(call run_tests,$(KINDS))

demo: ## installs what is missing, builds, runs the main job small, shows its report
	$(Q)tests/install_deps.sh $(DEPS)
	$(Q)$(MAKE) --no-print-directory all
	$(Q)tests/demo.sh $(B)

picture: all ## makes the README's picture anew (tests/e2e/report.png) from a run of 5 minutes, or of RESULT=DIR
	$(Q)tests/install_deps.sh $(DEPS) chromium pngquant
	$(Q)tests/picture.sh $(B) tests/e2e/report.png $(RESULT)

asan: ## unit, golden, fuzz and integration tests with address and undefined behaviour sanitizers
	$(Q)TIMEOUT_FACTOR=5 $(MAKE) --no-print-directory VARIANT=asan tests KINDS="unit golden fuzz integration"

tsan: ## unit, golden and fuzz tests, and those through ODBC drivers, with the thread sanitizer
	$(Q)TIMEOUT_FACTOR=5 $(MAKE) --no-print-directory VARIANT=tsan tests KINDS="unit golden fuzz"
	$(Q)TIMEOUT_FACTOR=5 $(MAKE) --no-print-directory VARIANT=tsan tests KINDS=integration ONLY='odbc_*'

cov: ## unit, golden and fuzz tests with coverage, lines told by file
	$(Q)find $(BUILD)/cov -name '*.gcda' -delete 2>/dev/null; true
	$(Q)$(MAKE) --no-print-directory VARIANT=cov tests KINDS="unit golden fuzz"
	$(Q)find $(BUILD)/cov/src -name '*.gcda' | xargs gcov -n -r 2>/dev/null | \
	    awk '/^File/ { file = $$2 } /^Lines/ && file ~ /src\/.*\.c/ { print $$0, file; file = "" }' | sort -t: -k2n

fuzz: ## libFuzzer, FUZZ_SECONDS (30) for each target; what it finds goes to build/fuzz/found
	$(Q)$(MAKE) --no-print-directory VARIANT=fuzz CC=clang run-fuzz
run-fuzz: $(FUZZERS:%=$(B)/%)
	$(Q)mkdir -p $(B)/found && for f in $(FUZZERS:fuzz-%=%); do mkdir -p $(B)/grown/$$f; \
	    $(B)/fuzz-$$f -max_total_time=$(FUZZ_SECONDS) -timeout=10 -print_final_stats=1 -verbosity=0 \
	        -artifact_prefix=$(B)/found/$$f- $(B)/grown/$$f tests/fuzz/corpus/$$f || exit 1; done

C_FILES := $(shell find src tests -name '*.[ch]')
format: ## lays out all C with clang-format
	$(Q)clang-format -i $(C_FILES)

format-check: ## fails where `make format` would change something
	$(Q)bash tests/lint/format.sh

lint: ## floors, clang-tidy, cppcheck, gcc -fanalyzer, shellcheck, reference
	$(Q)tests/install_deps.sh $(DEPS) $(DEPS_TEST) $(DEPS_LINT)
	$(Q)$(MAKE) --no-print-directory run-lint
run-lint: $(patsubst %.c,$(BUILD)/lint/%.ok,$(filter %.c,$(C_FILES))) all
	$(Q)cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
	    --suppressions-list=tests/lint/cppcheck.txt --error-exitcode=1 -D_GNU_SOURCE -Isrc -Itests/unit src tests
	$(Q)git ls-files '*.sh' .ci/run | xargs shellcheck
	$(Q)VARIANT=$(VARIANT) BUILD=$(BUILD) CC=$(CC) tests/run.sh static
# Each file once, until it or what it includes changes.
$(BUILD)/lint/%.ok: %.c .clang-tidy tests/.clang-tidy
	@mkdir -p $(@D)
	$(if $(V),,@echo "  LINT  $<")
	$(Q)clang-tidy --quiet $< -- -std=c17 $(CPPFLAGS_ALL) -DTPCC_DATA_DIR='""' 2>$@.log || { cat $@.log; exit 1; }
	$(Q)gcc $(CPPFLAGS_ALL) -DTPCC_DATA_DIR='""' -std=c17 $(WARN) -O1 $(if $(filter src/%,$<),-fanalyzer) -Werror -MMD -MP -MT $@ -MF $(@:.ok=.d) -c -o /dev/null $<
	@touch $@

bench: built ## ratios measured in one run (tests/bench), all of them again at its end
	$(Q)rm -f $(B)/logs/bench-*.log; VARIANT=$(VARIANT) BUILD=$(BUILD) tests/run.sh bench; rc=$$?; \
	    grep -h '^ratio: ' $(B)/logs/bench-*.log; exit $$rc

soak: built ## repetitions and long runs (tests/soak), hours
	$(Q)tests/install_deps.sh $(DEPS) $(DEPS_TEST) $(DEPS_SOAK)
	$(Q)VARIANT=$(VARIANT) BUILD=$(BUILD) tests/run.sh soak

golden: all ## rewrites what the goldens expect; look at the diff
	$(Q)GOLDEN_WRITE=1 VARIANT=$(VARIANT) BUILD=$(BUILD) tests/run.sh golden

clean: ## removes what was built
	rm -rf $(BUILD)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s%s\n", $$1, $$2 }' Makefile

-include $(shell find $(B) $(BUILD)/lint -name '*.d' 2>/dev/null)
