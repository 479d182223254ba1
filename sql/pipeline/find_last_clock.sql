-- The latest logical now that a sealed run of these apps had: a clock before it would rewrite what was reported.
-- Grain: one row. $1 apps
select max(r.logical_now) as logical_now
from subledger.runs r
join subledger.run_apps a on a.run_id = r.run_id
where r.seal is not null
    and r.job in ('nightly', 'notifications', 'intake', 'report')
    and a.app_id = any ($1::text[])
