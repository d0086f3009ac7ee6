#!/bin/bash
# Breaks each of the twelve conditions on purpose, at 1 and at 2 warehouses, and sees tpcc-check find
# exactly that one and those that it implies.
# timeout: 240
set -u

SCRATCH=$(mktemp -d /tmp/tpcc-check.XXXXXX)
OUT=$SCRATCH/out
# shellcheck source=tests/postgres.bash
. "$ROOT/tests/postgres.bash"
PG=$PGBIN

as_user() {
    if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

# shellcheck disable=SC2317 # called by the trap
end_all() {
    as_user "$PG/pg_ctl" -D "$SCRATCH/data" -m immediate stop >/dev/null 2>&1
    rm -rf "$SCRATCH"
}
trap end_all EXIT

fail() {
    echo "FAILED: $*"
    cat "$OUT"
    exit 1
}

[ "$(id -u)" != 0 ] || chown postgres "$SCRATCH"
cd / || exit 1
as_user "$PG/initdb" -D "$SCRATCH/data" -A trust -N -U tpcc --locale=C -E UTF8 >"$OUT" 2>&1 || fail initdb
as_user "$PG/pg_ctl" -D "$SCRATCH/data" -w -l "$SCRATCH/log" -o "-c listen_addresses='' -k $SCRATCH -c fsync=off \
    -c shared_buffers=256MB -c max_wal_size=1GB" start >"$OUT" 2>&1 || fail start
cd "$ROOT" || exit 1

sql() { # DATABASE TEXT
    "$PG/psql" -X -q -v ON_ERROR_STOP=1 -h "$SCRATCH" -U tpcc -d "$1" -Atc "$2" >"$SCRATCH/sql" 2>&1 ||
        { cp "$SCRATCH/sql" "$OUT"; fail "$2"; }
}

# check DATABASE EXIT OPTION...
check() {
    local db=$1 want=$2 rc
    shift 2
    "$BIN/tpcc-check" --pg "host=$SCRATCH user=tpcc dbname=$db" "$@" >"$OUT" 2>&1
    rc=$?
    [ "$rc" = "$want" ] || fail "exit $rc instead of $want"
}

broken() {
    sed -n 's/^ *\([0-9]*\) BROKEN .*/\1/p' "$OUT" | tr '\n' ' ' | sed 's/ $//'
}

# breaks DATABASE WANTED-CONDITIONS ROW-TEXT BREAK UNDO
breaks() {
    sql "$1" "$4"
    check "$1" 1
    [ "$(broken)" = "$2" ] || fail "broken: $(broken) instead of $2, by: $4"
    grep -qE -- "$3" "$OUT" || fail "no row $3, by: $4"
    sql "$1" "$5"
}

# taken DATABASE WANTED ROW TABLE WHERE: the same by taking rows away.
taken() {
    breaks "$1" "$2" "$3" \
        "begin; create table taken as select * from tpcc.$4 where $5; delete from tpcc.$4 where $5; commit" \
        "begin; insert into tpcc.$4 select * from taken; drop table taken; commit"
}

# break_all DATABASE WAREHOUSE: the rows of this warehouse are broken; at one warehouse in more ways.
break_all() {
    local db=$1 w=$2 more=$((2 - $2)) d o ol h c
    d="w_id=$w d_id"

    echo "1: W_YTD alone, which condition 8 looks at too"
    breaks "$db" "1 8" "w_id=$w w_ytd=300001.00 sum\(d_ytd\)=300000.00" \
        "update tpcc.warehouse set w_ytd = w_ytd + 1 where w_id = $w" \
        "update tpcc.warehouse set w_ytd = w_ytd - 1 where w_id = $w"
    [ $more = 0 ] || taken "$db" "1 8" "w_id=$w w_ytd= sum\(d_ytd\)=300000.00" warehouse "w_id = $w"

    echo "2: D_NEXT_O_ID"
    breaks "$db" 2 "$d=3 d_next_o_id=3002 max\(o_id\)=3000 max\(no_o_id\)=3000" \
        "update tpcc.district set d_next_o_id = 3002 where d_w_id = $w and d_id = 3" \
        "update tpcc.district set d_next_o_id = 3001 where d_w_id = $w and d_id = 3"

    echo "3: a hole in NEW-ORDER; its order is without a carrier and counted as delivered"
    taken "$db" "3 5 11" "$d=4 min\(no_o_id\)=2101 max\(no_o_id\)=3000 rows=899" new_order \
        "no_w_id = $w and no_d_id = 4 and no_o_id = 2500"

    echo "4: a line too few, or too many said"
    ol="ol_w_id = $w and ol_d_id = 5 and ol_o_id = 2800 and ol_number = 1"
    taken "$db" "4 6" "$d=5 sum\(o_ol_cnt\)=[0-9]+ lines=[0-9]+" order_line "$ol"
    [ $more = 0 ] || breaks "$db" "4 6" "$d=5 o_id=2800 o_ol_cnt=[0-9]+ lines=[0-9]+" \
        "update tpcc.orders set o_ol_cnt = o_ol_cnt + 1 where o_w_id = $w and o_d_id = 5 and o_id = 2800" \
        "update tpcc.orders set o_ol_cnt = o_ol_cnt - 1 where o_w_id = $w and o_d_id = 5 and o_id = 2800"

    echo "5: a NEW-ORDER row of a delivered order (the hole-free one before the first)"
    breaks "$db" "5 11" "$d=6 o_id=2100 order=t o_carrier_id=[0-9]+ new_order=t" \
        "insert into tpcc.new_order (no_w_id, no_d_id, no_o_id) values ($w, 6, 2100)" \
        "delete from tpcc.new_order where no_w_id = $w and no_d_id = 6 and no_o_id = 2100"
    [ $more = 0 ] || breaks "$db" "2 5 11" "$d=6 o_id=3001 order=f o_carrier_id=null new_order=t" \
        "insert into tpcc.new_order (no_w_id, no_d_id, no_o_id) values ($w, 6, 3001)" \
        "delete from tpcc.new_order where no_w_id = $w and no_d_id = 6 and no_o_id = 3001"

    echo "6: one order says a line more, another one less"
    o="update tpcc.orders set o_ol_cnt = o_ol_cnt"
    breaks "$db" 6 "$d=7 o_id=11 " \
        "begin; $o + 1 where o_w_id = $w and o_d_id = 7 and o_id = 11; $o - 1 where o_w_id = $w and o_d_id = 7 and o_id = 12; commit" \
        "begin; $o - 1 where o_w_id = $w and o_d_id = 7 and o_id = 11; $o + 1 where o_w_id = $w and o_d_id = 7 and o_id = 12; commit"

    echo "7: a line that is not delivered in an order that is"
    ol="ol_w_id = $w and ol_d_id = 8 and ol_o_id = 13 and ol_number = 2"
    sql "$db" "create table date_kept as select ol_delivery_d as t from tpcc.order_line where $ol"
    breaks "$db" 7 "$d=8 o_id=13 o_carrier_id=[0-9]+ lines=[0-9]+ without ol_delivery_d=1" \
        "update tpcc.order_line set ol_delivery_d = null where $ol" \
        "update tpcc.order_line set ol_delivery_d = (select t from date_kept) where $ol"
    sql "$db" "drop table date_kept"

    echo "8: W_YTD and D_YTD agree, HISTORY does not"
    breaks "$db" "8 9" "w_id=$w w_ytd=300001.00 sum\(h_amount\)=300000.00" \
        "begin; update tpcc.warehouse set w_ytd = w_ytd + 1 where w_id = $w; update tpcc.district set d_ytd = d_ytd + 1 where d_w_id = $w and d_id = 1; commit" \
        "begin; update tpcc.warehouse set w_ytd = w_ytd - 1 where w_id = $w; update tpcc.district set d_ytd = d_ytd - 1 where d_w_id = $w and d_id = 1; commit"
    h="h_w_id = $w and h_d_id = 2 and h_c_id = 77"
    [ $more = 0 ] || taken "$db" "8 9 10" "$d=2 c_id=77 c_balance=-10.00 delivered=0.00 sum\(h_amount\)=0" history "$h"

    echo "9: one district too much, another too little"
    breaks "$db" 9 "$d=1 d_ytd=30005.00 sum\(h_amount\)=30000.00" \
        "update tpcc.district set d_ytd = d_ytd + case d_id when 1 then 5 else -5 end where d_w_id = $w and d_id in (1, 2)" \
        "update tpcc.district set d_ytd = d_ytd - case d_id when 1 then 5 else -5 end where d_w_id = $w and d_id in (1, 2)"

    echo "10: C_BALANCE and C_YTD_PAYMENT agree, HISTORY does not"
    c="c_w_id = $w and c_d_id = 9 and c_id = 3000"
    breaks "$db" 10 "$d=9 c_id=3000 c_balance=-5.00 delivered=0.00 sum\(h_amount\)=10.00" \
        "update tpcc.customer set c_balance = c_balance + 5, c_ytd_payment = c_ytd_payment - 5 where $c" \
        "update tpcc.customer set c_balance = c_balance - 5, c_ytd_payment = c_ytd_payment + 5 where $c"
    [ $more = 0 ] || taken "$db" 10 "$d=9 c_id=3000 c_balance= delivered=0.00 sum\(h_amount\)=10.00" customer "$c"

    echo "11: a Delivery too many counted"
    breaks "$db" 11 "$d=10 orders=3000 new_orders=900 sum\(c_delivery_cnt\)=1" \
        "update tpcc.customer set c_delivery_cnt = 1 where c_w_id = $w and c_d_id = 10 and c_id = 1" \
        "update tpcc.customer set c_delivery_cnt = 0 where c_w_id = $w and c_d_id = 10 and c_id = 1"

    echo "12: C_YTD_PAYMENT"
    breaks "$db" 12 "$d=1 c_id=1 c_balance=-10.00 c_ytd_payment=11.00 delivered=0.00" \
        "update tpcc.customer set c_ytd_payment = 11 where c_w_id = $w and c_d_id = 1 and c_id = 1" \
        "update tpcc.customer set c_ytd_payment = 10 where c_w_id = $w and c_d_id = 1 and c_id = 1"
}

echo "no dataset: an error, exit 3"
check postgres 3
grep -q "no complete dataset" "$OUT" || fail "message"

for n in 1 2; do
    echo "== $n warehouses"
    sql postgres "create database w$n"
    "$BIN/check-driver" "host=$SCRATCH user=tpcc dbname=w$n" "$n" >"$OUT" 2>&1 || fail load
    check "w$n" 0
    grep -q "^12 of 12 conditions hold" "$OUT" || fail "after the load"
    [ "$(grep -cE '^ ?[0-9]+ ok ' "$OUT")" = 12 ] || fail "a line each"
    awk 'length($0) > 80 { exit 1 }' "$OUT" || fail "over 80 columns"
    break_all "w$n" "$n"
    check "w$n" 0
done

echo "rows that no warehouse has offend, also where they agree among themselves"
beyond() { # WANTED-CONDITIONS ROW-TEXT TABLE SET WHERE: a copy of a row, changed
    sql w1 "begin; create table copied as select * from tpcc.$3 where $5; update copied set $4;
        insert into tpcc.$3 select * from copied; commit"
    check w1 1
    [ "$(broken)" = "$1" ] || fail "broken: $(broken) instead of $1, by a row of $3"
    grep -qF -- "$2" "$OUT" || fail "no row $2"
}
gone() { # TABLE WHERE
    sql w1 "delete from tpcc.$1 where $2; drop table copied"
}
beyond 10 "d_id=1 c_id=3001 c_balance=0.00" customer "c_id = 3001, c_balance = 0, c_ytd_payment = 0" \
    "c_d_id = 1 and c_id = 1"
gone customer "c_id = 3001"
beyond "2 9 11" "w_id=1 d_id=11 d_next_o_id=1" district "d_id = 11, d_ytd = 0, d_next_o_id = 1" "d_id = 1"
gone district "d_id = 11"
beyond "4 6" "w_id=2 d_id=1" orders "o_w_id = 2, o_ol_cnt = 0, o_carrier_id = 1" "o_d_id = 1 and o_id = 1"
gone orders "o_w_id = 2"
beyond "1 8" "w_id=-1 w_ytd=0.00" warehouse "w_id = -1, w_ytd = 0" "w_id = 1"
gone warehouse "w_id = -1"
check w1 0

echo "a Delivery as it should be keeps all twelve"
sql w1 "begin;
    delete from tpcc.new_order where no_w_id = 1 and no_d_id = 1 and no_o_id = 2101;
    update tpcc.orders set o_carrier_id = 3 where o_w_id = 1 and o_d_id = 1 and o_id = 2101;
    update tpcc.order_line set ol_delivery_d = '2026-01-01' where ol_w_id = 1 and ol_d_id = 1 and ol_o_id = 2101;
    update tpcc.customer set c_delivery_cnt = c_delivery_cnt + 1, c_balance = c_balance +
        (select sum(ol_amount) from tpcc.order_line where ol_w_id = 1 and ol_d_id = 1 and ol_o_id = 2101)
        where c_w_id = 1 and c_d_id = 1 and c_id =
        (select o_c_id from tpcc.orders where o_w_id = 1 and o_d_id = 1 and o_id = 2101);
    commit"
check w1 0

echo "many: ten are shown and all are counted, also as JSON and with quick"
sql w1 "update tpcc.customer set c_ytd_payment = c_ytd_payment + 1 where c_d_id > 8"
check w1 1
[ "$(broken)" = 12 ] || fail "$(broken)"
[ "$(grep -c '^      w_id=' "$OUT")" = 10 ] || fail "not ten rows"
grep -qF "... and 5990 more" "$OUT" || fail "not counted"
grep -q "^11 of 12 conditions hold" "$OUT" || fail "last line"
check w1 1 --json
grep -q '"offending": 6000,' "$OUT" || fail "JSON"
grep -q '"all_hold": false,' "$OUT" || fail "JSON"
check w1 0 --check quick
grep -q "^3 of 3 conditions hold" "$OUT" || fail "quick"

echo "a wrong password or server: exit 3, no secret"
"$BIN/tpcc-check" --pg "host=$SCRATCH user=nobody password=sesame dbname=w1" >"$OUT" 2>&1
[ $? = 3 ] || fail "exit"
! grep -q sesame "$OUT" || fail "the password is shown"
exit 0
