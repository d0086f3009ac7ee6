-- How this dialect's sessions are set. Texts are plain, without backslash escapes; times are in UTC; a
-- session may be idle as long as a run lasts, and what bounds a statement is the run.

-- name: odbc_session
set session sql_mode = 'STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES,NO_ENGINE_SUBSTITUTION',
    time_zone = '+00:00', wait_timeout = 31536000, max_statement_time = 0

-- A lock time-out takes back one statement; what the transaction did, and its locks, stay.
-- name: odbc_after_failure
rollback

-- READ COMMITTED: procedures.sql tells what is locked instead.
-- name: odbc_session_run
set session tx_isolation = 'READ-COMMITTED'
