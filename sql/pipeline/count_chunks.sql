-- Grain: one row. $1 run
select count(*) as chunks from subledger.run_chunks where run_id = $1::bigint
