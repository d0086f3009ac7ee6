-- How this dialect's sessions are set: any error ends the transaction, a lock is waited for 30 s at
-- most, and isolation is READ COMMITTED, with or without its snapshot as the database has it.

-- name: odbc_session
set nocount off; set xact_abort on; set lock_timeout 30000; set transaction isolation level read committed;
set quoted_identifier on; set ansi_nulls on; set dateformat ymd

-- name: odbc_after_failure
if @@trancount > 0 rollback transaction

-- name: bulk_insert
-- The table's lock keeps loaders of one table behind each other and spares a lock for each row; how
-- much of it is logged is the database's recovery model, which is among the settings that are kept.
insert into {table} with (tablock) ({columns}) values
