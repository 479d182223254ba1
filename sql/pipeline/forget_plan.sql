-- A run that has ended plans nothing more. Grain: one row per subscription and chunk. $1 run
delete from subledger.run_plan where run_id = $1::bigint
