#!/bin/sh
# build.sh STAGED OUT: makes a Debian package below OUT of what `make install PREFIX=/usr` put into
# STAGED, with man pages packed, programs stripped, completion for bash, and what it depends on found
# by dpkg-shlibdeps. Prints the package's path.
set -eu
umask 022
here=$(dirname "$0")
staged=$(realpath "$1") out=$(realpath "$2")
version=$("$staged/usr/bin/tpcc-run" --version | sed 's/.* //')
arch=$(dpkg --print-architecture)
doc=$staged/usr/share/doc/tpcc-run
# The same sources give the same package: its time is that of the last change.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
maintainer=$(sed -n 's/^Maintainer: //p' "$here/control.in")

find "$staged/usr/bin" -type f -exec strip --strip-unneeded --remove-section=.comment {} +
find "$staged/usr/share/tpcc-run" -type f -exec chmod 644 {} +
find "$staged/usr/share/man" -name '*.1' -exec gzip -9n {} +

mkdir -p "$staged/usr/share/bash-completion/completions"
for program in "$staged"/usr/bin/*; do
    name=$(basename "$program")
    "$program" --help | awk -v program="$name" -f "$here/completion.awk" \
        >"$staged/usr/share/bash-completion/completions/$name"
done

mkdir -p "$doc"
# What the pages carry of dygraphs is under the terms that its own package tells.
cat "$here/copyright" "${DYGRAPHS_COPYRIGHT:-/usr/share/doc/libjs-dygraphs/copyright}" >"$doc/copyright"
cp "$here/../../README.md" "$doc/README.md"
printf 'tpcc-run (%s) unstable; urgency=medium\n\n  * Built from the sources; their history tells the changes.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$doc/changelog.gz"

# dpkg-shlibdeps wants to stand in a source package.
mkdir -p "$out/shlibs/debian"
printf 'Source: tpcc-run\n\nPackage: tpcc-run\nArchitecture: any\n' >"$out/shlibs/debian/control"
depends=$(cd "$out/shlibs" && dpkg-shlibdeps -O "$staged"/usr/bin/* 2>"$out/shlibs.log" | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { cat "$out/shlibs.log" >&2; exit 1; }

mkdir -p "$staged/DEBIAN"
sed -e "s/@VERSION@/$version/" -e "s/@ARCH@/$arch/" -e "s/@DEPENDS@/$depends/" \
    -e "s/@SIZE@/$(du -k -s --exclude=DEBIAN "$staged" | cut -f1)/" "$here/control.in" >"$staged/DEBIAN/control"
(cd "$staged" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$staged/DEBIAN/md5sums"
package=$out/tpcc-run_${version}_$arch.deb
dpkg-deb --root-owner-group --build "$staged" "$package" >/dev/null
echo "$package"
