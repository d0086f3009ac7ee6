-- What is said otherwise where this dialect runs through an ODBC driver: settings that libpq gives on
-- connecting, and the types of parameters, which a driver sends as texts.

-- name: odbc_session
-- params: text
select set_config('application_name', $1, false), set_config('client_min_messages', 'error', false)

-- name: odbc_session_run
select set_config('plan_cache_mode', 'force_generic_plan', false), set_config('jit', 'off', false),
       set_config('enable_seqscan', 'off', false), set_config('enable_bitmapscan', 'off', false),
       set_config('idle_session_timeout', '0', false), set_config('statement_timeout', '0', false),
       set_config('lock_timeout', '0', false)

-- name: odbc_i32
cast(? as int)

-- name: odbc_i64
cast(? as bigint)

-- name: odbc_cents
cast(? as numeric)

-- name: odbc_rate
cast(? as numeric)

-- name: odbc_text
cast(? as text)

-- name: odbc_time
cast(? as timestamp)

-- name: odbc_array
cast('{' || cast(? as text) || '}' as int[])

-- name: bulk_insert
-- psqlODBC sends an array of parameters row by row, and has no file that it reads.
insert into {table} ({columns}) values
