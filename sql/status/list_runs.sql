-- The last runs, newest first.
-- Grain: one row per run. $1 how many
select
    r.run_id, r.job, r.business_date, r.logical_now, r.started_at, r.finished_at, r.seal, r.outcome, r.counts, r.host,
    r.process_id, r.failure,
    r.report_due and r.seal is not null as is_report_missing,
    coalesce(r.outcome = 'running' and r.leased_until > clock_timestamp(), false) as is_alive,
    array(select a.app_id from subledger.run_apps a where a.run_id = r.run_id order by a.app_id) as apps,
    array(
        select a.app_id || ': ' || a.reason from subledger.run_apps a
        where a.run_id = r.run_id and a.state = 'stopped'
        order by a.app_id
    ) as stopped
from subledger.runs r
order by r.run_id desc
limit $1::bigint
