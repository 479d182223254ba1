-- Who plans for a run does so alone, and only while it leads the run.

-- name: find_leading
-- Asked before the lock and after it, each time by a statement of its own: who led then may lead no more. The run is not sealed before
-- this transaction ends; its lease is renewed and taken over all the same.
-- Grain: one row, none where another process leads the run, or it is sealed. $1 run, $2 generation
select run_id
from subledger.runs
where run_id = $1::bigint and leader_generation = $2::bigint and outcome = 'running' and seal is null
for key share

-- name: lock_planning
-- One process at a time plans for an app of a run: a leader that was stopped in the middle of it, and its successor. The run's own row
-- stays free, for the lease is renewed meanwhile, and so do those of its other apps: hosts note there why a store stops one.
-- Grain: one row. $1 run, $2 app
select app_id from subledger.run_apps where run_id = $1::bigint and app_id = $2::text for update
