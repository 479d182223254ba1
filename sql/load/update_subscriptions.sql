-- Today's picture of the chunk's subscriptions, and when each is asked next.
-- Grain: one row per subscription that was answered. An older answer never overwrites a newer one.
-- One that somebody made due while its store was being asked stays due: the answer is older than the wish.
-- $1 run, $2 chunk, $3 the run's now
update subledger.subscriptions as stored set
    environment = staged.environment,
    state = staged.state,
    state_raw = staged.state_raw,
    product_id = coalesce(staged.product_id, stored.product_id),
    auto_renew = staged.auto_renew,
    auto_renew_product_id = staged.auto_renew_product_id,
    expires_at = staged.expires_at,
    grace_expires_at = staged.grace_expires_at,
    ended_at = staged.ended_at,
    end_reason = staged.end_reason,
    committed_until = staged.committed_until,
    renewal_price_micros = staged.renewal_price_micros,
    renewal_currency = staged.renewal_currency,
    history_cursor = coalesce(staged.history_cursor, stored.history_cursor),
    source_version = staged.source_version,
    next_check_at = case
        when subledger.is_check_requested(stored.check_requests, staged.check_requests_seen, stored.next_check_at) then '-infinity'
        else staged.next_check_at
    end,
    next_check_reason = case
        when subledger.is_check_requested(stored.check_requests, staged.check_requests_seen, stored.next_check_at) then stored.next_check_reason
        else staged.next_check_reason
    end,
    refund_notified_at = case
        when subledger.is_check_requested(stored.check_requests, staged.check_requests_seen, stored.next_check_at) then stored.refund_notified_at
    end,
    refund_reports = case
        when subledger.is_check_requested(stored.check_requests, staged.check_requests_seen, stored.next_check_at) then stored.refund_reports
    end,
    notified_rows = case
        when subledger.is_check_requested(stored.check_requests, staged.check_requests_seen, stored.next_check_at) then stored.notified_rows
    end,
    is_history_notified = stored.is_history_notified
        and subledger.is_check_requested(stored.check_requests, staged.check_requests_seen, stored.next_check_at),
    last_checked_at = $3::timestamptz,
    last_run_id = $1::bigint,
    failures = 0,
    refusals = 0,
    last_error = null
from subledger.stage_subscriptions staged
where staged.run_id = $1::bigint
    and staged.chunk_no = $2::integer
    and stored.subscription_key = staged.subscription_key
    and (stored.source_version is null or stored.source_version <= staged.source_version)
