-- A worker is still at its chunk.
-- Grain: one row, returned while the fence holds. $1 run, $2 chunk, $3 generation, $4 lease (seconds)
update subledger.run_chunks set leased_until = clock_timestamp() + $4::bigint * interval '1 second'
where run_id = $1::bigint and chunk_no = $2::integer and generation = $3::bigint and state = 'leased'
returning chunk_no
