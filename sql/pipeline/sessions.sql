-- Statements about our own sessions with the server.

-- name: read_backend
-- This session as the server knows it: a process number alone is used again.
-- Grain: one row.
select pid::bigint as process_id, backend_start as started_at from pg_stat_activity where pid = pg_backend_pid()

-- name: end_backend
-- Ends a session of ours that was lost on the way: what it has not committed locks nothing any more.
-- Grain: one row, none where it is gone. $1 process, $2 since when
select pg_terminate_backend(pid) as is_ended
from pg_stat_activity
where pid = $1::integer and backend_start = $2::timestamptz and usename = current_user
