# Sourced by scripts that start PostgreSQL: PGBIN is the folder of the newest version's programs, and
# PG_VERSION its number as the server says it ("15.20").
# shellcheck disable=SC2034 # used by those that source it
PGBIN=$(find /usr/lib/postgresql/*/bin -name initdb -printf '%h\n' 2>/dev/null | sort -V | tail -n 1)
[ -x "$PGBIN/initdb" ] || { echo "no PostgreSQL below /usr/lib/postgresql"; exit 77; }
PG_VERSION=$("$PGBIN/postgres" --version | sed 's/^[^0-9]*\([0-9.a-z]*\).*/\1/')
