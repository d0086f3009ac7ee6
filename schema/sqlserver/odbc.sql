-- How this dialect's sessions are set: any error ends the transaction, a lock is waited for 30 s at
-- most, and isolation is READ COMMITTED, with or without its snapshot as the database has it.

-- name: odbc_session
set nocount off; set xact_abort on; set lock_timeout 30000; set transaction isolation level read committed;
set quoted_identifier on; set ansi_nulls on; set dateformat ymd

-- name: odbc_after_failure
if @@trancount > 0 rollback transaction

-- name: bulk_insert
-- The table's lock spares a lock for each row, and keeps loaders of one table behind each other. Rows in
-- VALUES are logged in full whatever the recovery model (among the settings that are kept): what is
-- logged less, BULK INSERT and an INSERT from a SELECT, no driver offers for rows that are ours.
insert into {table} with (tablock) ({columns}) values
