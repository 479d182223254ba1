-- The chunk is done, in the same transaction as its rows; the fence makes a late owner's commit fail.
-- Grain: one row, returned when the fence held. $1 run, $2 chunk, $3 generation, $4 rows sent, $5 rows staged, $6 counts
update subledger.run_chunks set
    state = 'done',
    leased_by = null,
    leased_until = null,
    expected = $4::bigint,
    staged = $5::bigint,
    changed = (
        select count(*) from subledger.stage_changes where run_id = $1::bigint and chunk_no = $2::integer
    ),
    counts = $6::jsonb
where run_id = $1::bigint and chunk_no = $2::integer and generation = $3::bigint and state = 'leased'
returning changed
