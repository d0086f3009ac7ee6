#!/bin/sh
# suites.sh FILE...: prints the C table of the unit test suites that these files define, each by a
# line that begins "const struct unit_suite NAME". A file without one is an error: its tests would
# be left out silently.
set -eu

names=
for file in "$@"; do
    found=$(sed -n 's/^const struct unit_suite \([a-z0-9_]*\).*/\1/p' "$file")
    if [ -z "$found" ]; then
        echo "$file: defines no 'const struct unit_suite'" >&2
        exit 1
    fi
    names="$names $found"
done
echo '#include "harness/unit.h"'
echo 'extern const struct unit_suite *const unit_suites[];'
for name in $names; do
    echo "extern const struct unit_suite $name;"
done
echo 'const struct unit_suite *const unit_suites[] = {'
for name in $names; do
    echo "    &$name,"
done
echo '    NULL,'
echo '};'
