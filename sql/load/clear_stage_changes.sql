-- Empties staging of a chunk, in the transaction that used it.
-- $1 run, $2 chunk
delete from subledger.stage_changes
where run_id = $1::bigint and chunk_no = $2::integer
