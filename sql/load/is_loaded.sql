-- Whether a load of a chunk is in: its commit may have been answered to no one. Waits for a session that still has it open.
-- Grain: one row, none where there is no such chunk. $1 run, $2 chunk, $3 the load's number
select $3::bigint = any (loads) as is_loaded
from subledger.run_chunks
where run_id = $1::bigint and chunk_no = $2::integer
for update
