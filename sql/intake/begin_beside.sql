-- What an intake books in the chunk that it claimed beside a night. Grain: one row, none where the chunk is not its own any more.
-- $1 run, $2 chunk, $3 generation, $4 keys
update subledger.run_chunks set subscription_keys = $4::bigint[]
where run_id = $1::bigint and chunk_no = $2::integer and generation = $3::bigint and state = 'leased'
returning chunk_no
