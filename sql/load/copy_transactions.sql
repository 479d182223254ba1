-- Canonical rows into staging.
-- Grain: one row per transaction of the chunk
copy subledger.stage_transactions (
    run_id, chunk_no, answer_hash, is_seen_indirectly, lineage_key, states_upgrade, {transaction}
) from stdin
