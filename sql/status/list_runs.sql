-- The last runs, and those before them that have not ended, newest first. A run whose leader is dead is interrupted.
-- Grain: one row per run. $1 how many
select
    r.run_id, r.job, r.business_date, r.logical_now, r.started_at, r.finished_at, r.seal, r.counts, r.host,
    r.process_id, r.failure,
    case when r.outcome = 'running' and not living.is_so then 'interrupted' else r.outcome end as outcome,
    r.report_due and r.seal is not null and not living.is_so as is_report_missing,
    living.is_so as is_alive,
    array(select a.app_id from subledger.run_apps a where a.run_id = r.run_id order by a.app_id) as apps,
    array(
        select a.app_id || ': ' || a.reason from subledger.run_apps a
        where a.run_id = r.run_id and a.state = 'stopped'
        order by a.app_id
    ) as stopped
from subledger.runs r
cross join lateral (
    select coalesce(r.outcome = 'running' and r.leased_until > clock_timestamp(), false) as is_so
) living
where r.outcome = 'running'
    or r.run_id in (select newest.run_id from subledger.runs newest order by newest.run_id desc limit $1::bigint)
order by r.run_id desc
