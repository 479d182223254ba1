-- Who plans for a run does so alone, and only while it leads the run.

-- name: lock_planning
-- One process at a time plans for an app of a run: a leader that was stopped in the middle of it, and its successor. The run's own row
-- stays free, for the lease is renewed meanwhile, and so do those of its other apps: hosts note there why a store stops one.
-- Grain: one row. $1 run, $2 app
select app_id from subledger.run_apps where run_id = $1::bigint and app_id = $2::text for update

-- name: find_leading
-- A statement of its own: what it sees is later than the lock. Grain: one row, none where another process leads the run.
-- $1 run, $2 generation
select run_id from subledger.runs where run_id = $1::bigint and leader_generation = $2::bigint and outcome = 'running'
