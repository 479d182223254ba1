-- Runs whose leader lives, by the database's clock: they go on with the schema they began with.
-- Grain: one row per run
select
    r.job, r.host, r.process_id, r.started_at,
    array(select a.app_id from subledger.run_apps a where a.run_id = r.run_id order by a.app_id) as apps
from subledger.runs r
where r.outcome = 'running' and r.leased_until > clock_timestamp()
order by r.run_id
