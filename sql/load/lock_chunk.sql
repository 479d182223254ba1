-- Takes the chunk's row for this transaction: its fence is compared before anything is written.
-- Grain: one row. $1 run, $2 chunk
select generation, state
from subledger.run_chunks
where run_id = $1::bigint and chunk_no = $2::integer
for update
