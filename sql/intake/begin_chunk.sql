-- A chunk of a run that is written and loaded in one transaction: no other transaction ever sees it open.
-- Grain: one row. $1 run, $2 app, $3 keys, $4 worker
insert into subledger.run_chunks (
    run_id, chunk_no, app_id, subscription_keys, state, generation, leased_by, leased_until, attempts
)
select
    $1::bigint, coalesce(max(chunk_no), 0) + 1, $2::text, $3::bigint[], 'leased', 1, $4::text, clock_timestamp(), 1
from subledger.run_chunks
where run_id = $1::bigint
returning chunk_no, generation
