-- The chunk is done, in the same transaction as its rows; the fence makes a late owner's commit fail. Where subscriptions of it
-- are still to be asked, it stays leased under the same fence, or is free where it is handed back, as its app stops here; whoever takes
-- it over asks these alone.
-- Its lease could not be renewed while it was loaded: it lasts until the next renewal.
-- Grain: one row, returned when the fence held: how many transactions these rows changed. $1 run, $2 chunk, $3 generation,
-- $4 rows sent, $5 rows staged, $6 subscriptions that are still to be asked (empty: none), $7 it is handed back with them
with changes as (
    select count(*) as number from subledger.stage_changes where run_id = $1::bigint and chunk_no = $2::integer
)

update subledger.run_chunks as chunk set
    state = case when $6::bigint[] = '{}' then 'done' when $7::boolean then 'pending' else 'leased' end,
    leased_by = case when $6::bigint[] <> '{}' and not $7::boolean then chunk.leased_by end,
    leased_until = case
        when $6::bigint[] <> '{}' and not $7::boolean then greatest(chunk.leased_until, clock_timestamp() + interval '1 minute')
    end,
    remaining_keys = nullif($6::bigint[], '{}'),
    expected = coalesce(chunk.expected, 0) + $4::bigint,
    staged = coalesce(chunk.staged, 0) + $5::bigint,
    changed = coalesce(chunk.changed, 0) + changes.number
from changes
where chunk.run_id = $1::bigint and chunk.chunk_no = $2::integer and chunk.generation = $3::bigint and chunk.state = 'leased'
returning changes.number as changed
