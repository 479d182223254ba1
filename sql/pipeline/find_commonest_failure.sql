-- Why most of an app's checks in vain came to nothing in a run.
-- Grain: one row, none where no check did. $1 run, $2 app
select last_error
from subledger.subscriptions
where app_id = $2::text and last_run_id = $1::bigint and failures > 0 and last_error is not null
group by last_error
order by count(*) desc, last_error collate "C"
limit 1
