-- What intakes have set aside beside a night after a dead letter, and the last one so far.
-- Grain: one row. $1 the night's run, $2 app, $3 the dead letter
select count(*) filter (where dead_letter_id > $3::bigint) as letters, coalesce(max(dead_letter_id), 0) as last_letter
from subledger.dead_letters
where first_run_id = $1::bigint and app_id = $2::text and is_beside
