#!/bin/bash
# Data, WAL and a tablespace on drives of their own: all are found, and I/O per transaction is of all.
# timeout: 120
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/e2e_lib.bash"
need_root
[ -e /dev/loop-control ] || { echo "no loop devices here"; exit 77; }

# drive NAME SIZE: a loop device with a file system at $SCRATCH/NAME; its name is in ${dev[NAME]}.
declare -A dev
drive() {
    local loop
    truncate -s "$2" "$SCRATCH/$1.image"
    mkfs.ext4 -q -m 0 "$SCRATCH/$1.image"
    loop=$(losetup -f --show "$SCRATCH/$1.image") || { echo "no loop devices"; exit 77; }
    LOOPS+=("$loop")
    mkdir "$SCRATCH/$1"
    mount "$loop" "$SCRATCH/$1" || fail "mount"
    MOUNTS+=("$SCRATCH/$1")
    chmod 755 "$SCRATCH/$1"
    dev[$1]=${loop#/dev/}
}
drive data 3G
drive wal 1G
drive space 200M

# written DEVICE: sectors so far, from the kernel.
written() {
    awk '{ print $7 }' "/sys/block/$1/stat"
}

# device_figure DEVICE KEY: of sample.devices.
device_figure() {
    awk -v d="\"$1\": {" -v k="\"$2\":" '
        index($0, d) { on = 1 } on && $1 == k { gsub(",", "", $2); print $2; exit }' "$(result_dir)/result.json"
}

echo "a server that is not ours: initdb --waldir and a tablespace"
mkdir "$SERVER"
for dir in "$SERVER" "$SCRATCH/data/db" "$SCRATCH/wal/db" "$SCRATCH/space/db"; do
    mkdir -p "$dir" && chown postgres "$dir" && chmod 700 "$dir"
done
chmod 755 "$SERVER"
as_postgres "$PGBIN/initdb" -D "$SCRATCH/data/db" -X "$SCRATCH/wal/db" -A trust -N >"$OUT" || fail initdb
echo "listen_addresses = ''
unix_socket_directories = '$SERVER'" >>"$SCRATCH/data/db/postgresql.conf"
as_postgres "$PGBIN/pg_ctl" -D "$SCRATCH/data/db" -l "$SERVER/log" -w start >"$OUT" || fail start
as_postgres createdb -h "$SERVER" tpcc
sql "create tablespace far location '$SCRATCH/space/db'"
want 0 "$LOAD" --pg "$PG" --warehouses 1
before=$(($(written "${dev[data]}") + $(written "${dev[wal]}") + $(written "${dev[space]}")))
want 0 "$RUN" --pg "$PG" --users 100 --duration 4s --sample 3s --check none --results "$RESULTS"
after=$(($(written "${dev[data]}") + $(written "${dev[wal]}") + $(written "${dev[space]}")))
tr -s '\n ' ' ' <"$ERR" >"$SCRATCH/plan"
for what in "${dev[data]} (filesystem: data," "${dev[wal]} (filesystem: WAL," \
    "${dev[space]} (filesystem: tablespace far,"; do
    grep -qF "$what" "$SCRATCH/plan" "$OUT" || fail "not in the plan: $what"
done
says "  of       ${dev[data]} (data) + ${dev[wal]} (WAL) + ${dev[space]} (tablespace far)"
[ "$(grep -c '"summed": true' "$(result_dir)/result.json")" = 3 ] || fail "not three are summed"
bytes=$(figure bytes_written)
counted=$(((after - before) * 512))
if [ "$bytes" -le 0 ] || [ "$bytes" -gt "$counted" ]; then
    fail "$bytes bytes written, the kernel counted $counted"
fi
[ "$(figure devices_missing_percent)" != 0.0 ] || awk -v kib="$(figure write_kib)" -v tps="$(figure tps)" \
    -v data="$(device_figure "${dev[data]}" write_mib_per_s)" \
    -v wal="$(device_figure "${dev[wal]}" write_mib_per_s)" \
    -v space="$(device_figure "${dev[space]}" write_mib_per_s)" \
    'BEGIN { got = kib * tps / 1024; want = data + wal + space
             exit !(wal > 0 && got > want * 0.97 && got < want * 1.03) }' ||
    fail "per transaction is not the sum of the devices"

echo "one that may not look into the data directory says so"
mkdir -p "$SCRATCH/tree/bin" "$SCRATCH/tree/share/tpcc-run"
install -m 755 "$RUN" "$SCRATCH/tree/bin/tpcc-run"
cp -R "$ROOT"/{schema,workloads,config} "$SCRATCH/tree/share/tpcc-run"
sql "create role plain login superuser"
want 0 runuser -u nobody -- "$SCRATCH/tree/bin/tpcc-run" --pg "host=$SERVER user=plain dbname=tpcc" \
    --users 10 --duration 6s --dry-run --results /tmp
tr -s '\n ' ' ' <"$OUT" >"$SCRATCH/plan"
grep -qF "not seen: WAL: $SCRATCH/data/db/pg_wal can't be looked at" "$SCRATCH/plan" || fail "nothing said of WAL"
as_postgres "$PGBIN/pg_ctl" -D "$SCRATCH/data/db" -m fast -w stop >"$OUT"
rm -rf "$SCRATCH/data/db"

echo "the private server, whose WAL was moved"
SMALL=(--drive "$SCRATCH/data" --users 50 --duration 3s --sample 2s --check none --results "$RESULTS")
want 0 "$LOAD" --drive "$SCRATCH/data" --warehouses 1
mv "$SCRATCH/data/tpcc-run/data/pg_wal" "$SCRATCH/wal/moved"
chmod 755 "$SCRATCH/wal"
ln -s "$SCRATCH/wal/moved" "$SCRATCH/data/tpcc-run/data/pg_wal"
want 0 "$RUN" "${SMALL[@]}" --keep-running --quiet # which does not hide how to connect
says "  of       ${dev[data]} (data) + ${dev[wal]} (WAL)"

echo "a drive that is full as the run begins is named"
conninfo=$(sed -n "s/.*the private server goes on: psql '\(.*\)'\$/\1/p" "$ERR" | tail -n 1)
as_postgres psql "$conninfo" -XAtq -v ON_ERROR_STOP=1 >"$OUT" 2>"$ERR" <<'SQL' || fail "psql"
create function tpcc.no_room() returns trigger language plpgsql as
    $$ begin raise exception using errcode = '53100', message = 'could not extend file'; end $$;
create trigger no_room before update on tpcc.manifest for each row
    when (new.name = 'runs_since_load') execute function tpcc.no_room();
SQL
want 3 "$RUN" "${SMALL[@]}"
one_line
says "the file system of $SCRATCH/data is full"
all_quiet
