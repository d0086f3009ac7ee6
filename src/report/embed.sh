#!/bin/sh
# embed.sh NAME FILE... [-- NAME FILE...]...: C source with one array of bytes for each NAME, all its
# files one after the other, for the arrays that report/page_assets.h declares. What would end the
# element of the page in which they stand is refused; links to source maps are left out, since the
# page opens without a network.
set -eu

files='' name=''
work=$(mktemp)
trap 'rm -f "$work"' EXIT

flush() {
    [ -n "$name" ] || return 0
    # shellcheck disable=SC2086 # paths that make gives, without blanks
    awk '1' $files | sed '/^\/[/*]# sourceMappingURL/d' >"$work"
    if grep -Eiq '</(script|style)|<!--' "$work"; then
        echo "embed.sh: a file of \"$name\" would end its element: $files" >&2
        exit 1
    fi
    echo "const unsigned char page_${name}[] = {"
    od -An -v -tu1 "$work" | sed 's/\([0-9][0-9]*\)/\1,/g'
    echo "};"
    echo "const size_t page_${name}_len = sizeof(page_${name});"
    name=''
}

echo '#include "report/page_assets.h"'
for word in "$@"; do
    if [ "$word" = -- ]; then
        flush
    elif [ -z "$name" ]; then
        name=$word files=''
    else
        files="$files $word"
    fi
done
flush
