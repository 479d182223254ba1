-- Canonical rows into staging.
-- Grain: one row per transaction of the chunk
copy subledger.stage_transactions (
    run_id, chunk_no, answer_hash, is_glimpse, lineage_key, tells_upgrade, {transaction}
) from stdin
