-- Claims the next free chunk of a run for one worker, raising its fence: one of its own app before any other's.
-- Grain: one row, none when nothing is left. $1 run, $2 apps, $3 worker, $4 lease (seconds), $5 the worker's app
update subledger.run_chunks as chunk set
    state = 'leased',
    generation = chunk.generation + 1,
    attempts = chunk.attempts + 1,
    leased_by = $3::text,
    leased_until = clock_timestamp() + $4::bigint * interval '1 second'
from (
    select run_id, chunk_no
    from subledger.run_chunks
    where run_id = $1::bigint
        and app_id = any ($2::text[])
        and (state = 'pending' or (state = 'leased' and leased_until < clock_timestamp()))
    order by app_id <> $5::text, chunk_no
    limit 1
    for update skip locked
) as free
where chunk.run_id = free.run_id and chunk.chunk_no = free.chunk_no
returning chunk.chunk_no, chunk.app_id, chunk.subscription_keys, chunk.generation
