-- Adds to what a chunk has counted: by each part that is loaded, and by checks that were held back then. With it the load is
-- known to be in. The fence refuses what is another owner's by now.
-- Grain: one row, returned when the fence held. $1 run, $2 chunk, $3 generation, $4 counts to add, $5 the load's number
update subledger.run_chunks as chunk set
    counts = chunk.counts || (
        select coalesce(jsonb_object_agg(more.key, more.value::bigint + coalesce((chunk.counts ->> more.key)::bigint, 0)), '{}')
        from jsonb_each_text($4::jsonb) as more (key, value)
    ),
    loads = chunk.loads || $5::bigint
where chunk.run_id = $1::bigint
    and chunk.chunk_no = $2::integer
    and chunk.generation = $3::bigint
    and chunk.state <> 'abandoned'
returning chunk.chunk_no
