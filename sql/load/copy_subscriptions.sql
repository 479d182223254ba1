-- Subscriptions as their check leaves them, into staging.
-- Grain: one row per subscription that was answered
copy subledger.stage_subscriptions (
    run_id, chunk_no, subscription_key, environment, state, state_raw, product_id, auto_renew, auto_renew_product_id,
    expires_at, grace_expires_at, ended_at, end_reason, history_cursor, source_version, occurred_at, answer_hash,
    next_check_at, next_check_reason, wakes_read, steps
) from stdin
