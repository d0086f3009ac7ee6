-- Transactions whose commit was sent and whose reply was lost: did they commit? Asked once after a
-- run, when nothing else is under way. Their stamps come from the driver and are unique in the run.

-- name: doubt_new_order
-- params: i32 i32 i32 time
select count(*) from tpcc.orders where o_w_id = $1 and o_d_id = $2 and o_c_id = $3 and o_entry_d = $4

-- name: doubt_payments
-- params: text
-- $1: stamps in us since 1970, separated by commas; one pass over the table for all of them.
select count(distinct h_date) from tpcc.history
 where h_date in (
       select dateadd(microsecond, cast(cast(value as bigint) % 1000000 as int),
              dateadd(second, cast(cast(value as bigint) / 1000000 as int),
              cast('1970-01-01' as datetime2(6))))
         from openjson('[' + $1 + ']'))
