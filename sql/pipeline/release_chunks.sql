-- A new leader starts with every unfinished chunk free: the old leader's workers died with it.
-- $1 run
update subledger.run_chunks set state = 'pending', leased_by = null, leased_until = null, generation = generation + 1
where run_id = $1::bigint and state = 'leased'
