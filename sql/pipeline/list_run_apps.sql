-- Grain: one row per app of a run. $1 run
select app_id, state, reason, due
from subledger.run_apps
where run_id = $1::bigint
order by app_id
