#!/bin/bash
# The Debian package: built, without errors of lintian, installed by dpkg into an empty root, and the
# programs of that root run as the README shows, without the sources; bash completes their options.
# timeout: 120
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/e2e_lib.bash"
need_root
for program in lintian dpkg-shlibdeps; do
    command -v "$program" >/dev/null || { echo "no $program"; exit 77; }
done

echo "builds"
make -C "$ROOT" --no-print-directory deb BUILD="${BIN%/*}" VARIANT="$VARIANT" >"$OUT" 2>"$ERR" </dev/null || fail "make deb"
package=$(tail -n 1 "$OUT")
[ -f "$package" ] || fail "no package"
# It leaves a file in its directory for scratch files.
TMPDIR=$SCRATCH lintian --allow-root --fail-on error "$package" >"$OUT" 2>"$ERR" || fail "lintian"

echo "installs into an empty root, and runs from there"
root=$SCRATCH/root
mkdir -p "$root"/var/lib/dpkg/{info,updates}
touch "$root/var/lib/dpkg/status"
dpkg --root="$root" --force-depends --install "$package" >"$OUT" 2>"$ERR" || fail "dpkg --install"
[ -s "$root/usr/share/man/man1/tpcc-run.1.gz" ] || fail "no man page"
want 0 "$root/usr/bin/tpcc-run" --drive "$DRIVE" --warehouses 1 --users 10 --duration 4s --sample 2s \
    --check quick --results "$RESULTS"
all_quiet
want 0 "$root/usr/bin/tpcc-report" "$(result_dir)"
says "after: 3 of 3 ok"

echo "completes"
complete() { # WORD...: what bash would offer for the last one
    bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tpcc_run 2>/dev/null; echo "${COMPREPLY[*]}"' \
        complete "$root/usr/share/bash-completion/completions/tpcc-run" "$@"
}
[ "$(complete tpcc-run --find-u)" = "--find-users" ] || fail "--find-u: $(complete tpcc-run --find-u)"
[ "$(complete tpcc-run --check f)" = full ] || fail "--check f: $(complete tpcc-run --check f)"
[ "$(complete tpcc-run --users 1)" = "" ] || fail "--users 1"
dpkg --root="$root" --purge tpcc-run >"$OUT" 2>"$ERR" || fail "dpkg --purge"
[ -z "$(find "$root" -path "$root/var" -prune -o -type f -print)" ] || fail "purged, and left something"
