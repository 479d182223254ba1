-- What intakes have set aside beside a night. Grain: one row. $1 the night's run, $2 app
select count(*) as letters
from subledger.dead_letters
where first_run_id = $1::bigint and app_id = $2::text and is_beside
