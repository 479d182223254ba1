-- Locks the run's row for this transaction: no other process can take the run over before it ends.
-- Grain: one row, none when another process leads the run. $1 run, $2 generation
select run_id
from subledger.runs
where run_id = $1::bigint and leader_generation = $2::bigint and outcome = 'running'
for share
