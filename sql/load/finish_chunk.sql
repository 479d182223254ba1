-- The chunk is done, or what was asked of it, in the same transaction as its rows; the fence makes a late owner's commit fail.
-- What is left stays its worker's under the same fence, and whoever takes the chunk over takes that alone.
-- Grain: one row, returned when the fence held: how many transactions changed by these rows. $1 run, $2 chunk, $3 generation,
-- $4 rows sent, $5 rows staged, $6 counts, $7 subscriptions that are left (empty: none)
with changes as (
    select count(*) as number from subledger.stage_changes where run_id = $1::bigint and chunk_no = $2::integer
)

update subledger.run_chunks as chunk set
    state = case when $7::bigint[] = '{}' then 'done' else 'leased' end,
    leased_by = case when $7::bigint[] <> '{}' then chunk.leased_by end,
    leased_until = case when $7::bigint[] <> '{}' then chunk.leased_until end,
    left_keys = nullif($7::bigint[], '{}'),
    expected = coalesce(chunk.expected, 0) + $4::bigint,
    staged = coalesce(chunk.staged, 0) + $5::bigint,
    changed = coalesce(chunk.changed, 0) + changes.number,
    counts = chunk.counts || (
        select coalesce(jsonb_object_agg(more.key, more.value::bigint + coalesce((chunk.counts ->> more.key)::bigint, 0)), '{}')
        from jsonb_each_text($6::jsonb) as more (key, value)
    )
from changes
where chunk.run_id = $1::bigint and chunk.chunk_no = $2::integer and chunk.generation = $3::bigint and chunk.state = 'leased'
returning changes.number as changed
