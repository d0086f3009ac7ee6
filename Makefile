# tpcc-run: one hand-written, non-recursive Makefile. `make help` lists the targets.
# Every folder under src/ but cmd/ becomes one archive; programs and unit tests link the archives.
# Variables: VARIANT=release|debug|asan|tsan|cov|fuzz, BUILD (where objects go), CC, V=1, WERROR=1.

VARIANT ?= release
BUILD ?= build
PREFIX ?= /usr/local
B := $(BUILD)/$(VARIANT)
Q := $(if $(V),,@)

FOLDERS := job report run check load cluster drive db plan tpcc result sql config stats base
PROGRAMS := $(patsubst src/cmd/%.c,%,$(wildcard src/cmd/*_*.c))
PKGS := libpq yaml-0.1 jansson

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
