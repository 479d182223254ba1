-- Grain: one row. $1 run, $2 chunk
select count(*) as changes from subledger.stage_changes where run_id = $1::bigint and chunk_no = $2::integer
