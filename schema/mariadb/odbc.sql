-- This folder serves MariaDB (10.6 or newer) and MySQL (8.0.19 or newer; run on 9.7). What they say
-- differently stands in comments that one of them reads: "/*M! ... */" MariaDB, "/*!80000 ... */"
-- MySQL.
--
-- How sessions are set. Texts are plain, without backslash escapes; times are in UTC; a session may be
-- idle as long as a run lasts, and what bounds a statement is the run.

-- name: odbc_session
set session sql_mode = 'STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES,NO_ENGINE_SUBSTITUTION',
    time_zone = '+00:00', wait_timeout = 31536000 /*M! , max_statement_time = 0 */
    /*!80000 , max_execution_time = 0, information_schema_stats_expiry = 0 */

-- A lock time-out takes back one statement; what the transaction did, and its locks, stay.
-- name: odbc_after_failure
rollback

-- What ends the statement that this session is at: the driver's own way (SQLCancel of 3.1.15) may free
-- the rows that are being read.
-- name: odbc_cancel
select concat('kill query ', connection_id())

-- READ COMMITTED: procedures.sql tells what is locked instead.
-- name: odbc_session_run
set session transaction isolation level read committed

-- name: bulk_packet
-- Ways of sending rows, the fastest first; what driver or server refuse is passed over.
select @@max_allowed_packet

-- name: bulk_file
load data local infile '{file}' into table {table} character set ascii
 fields terminated by x'09' escaped by x'5c' lines terminated by x'0a' ({columns})

-- name: bulk_file_if
-- What MySQL warns of can't be asked through the driver (3.1.15): to SHOW WARNINGS and @@warning_count
-- it sees no answer, and is out of step from then on.
select version() like '%MariaDB%'

-- name: bulk_file_warnings
-- The server can't stop a file that is on its way: it only warns of a row that it can't take.
show warnings

-- name: bulk_array
insert into {table} ({columns}) values ({marks})

-- name: bulk_array_if
-- To MySQL, which has no such message, the driver would send the rows one by one.
select version() like '%MariaDB%'

-- name: bulk_insert
insert into {table} ({columns}) values
