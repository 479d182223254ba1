-- After the chunk's row: the run is not sealed before this transaction ends. Its leader's lease is renewed and taken over all the same.
-- Grain: one row, none where the run is sealed or over. $1 run
select run_id
from subledger.runs
where run_id = $1::bigint and outcome = 'running' and seal is null
for key share
