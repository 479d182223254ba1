-- Chunks of a run that are still to be worked on. Grain: one row. $1 run, $2 apps that are not stopped
select count(*) as chunks
from subledger.run_chunks
where run_id = $1::bigint and app_id = any ($2::text[]) and state in ('pending', 'leased')
