-- Open runs of any of these apps, and whether their leader's lease still holds by the database's clock.
-- Grain: one row per run. $1 apps
select
    r.run_id, r.job, r.logical_now, r.host, r.process_id, r.started_at, r.seal, r.leader_generation, r.leased_until,
    coalesce(r.leased_until > clock_timestamp(), false) as is_leased,
    array_agg(a.app_id order by a.app_id) as apps
from subledger.runs r
join subledger.run_apps a on a.run_id = r.run_id
where a.closed_at is null
    and r.run_id in (
        select run_id from subledger.run_apps where app_id = any ($1::text[]) and closed_at is null
    )
group by r.run_id
order by r.run_id
