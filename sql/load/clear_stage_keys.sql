-- Lets go of a chunk's keys, in the transaction that held them: others go on when it has ended.
-- $1 run, $2 chunk
delete from subledger.stage_keys
where run_id = $1::bigint and chunk_no = $2::integer
