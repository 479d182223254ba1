-- A subscription in its current state, and the access it gives. The store's id is returned for the App Store only: a Play token
-- opens the purchase to whoever holds it, a receipt never leaves.
-- Grain: one row. $1 key, $2 now
select
    s.subscription_key, s.lineage_key, s.app_id, s.store, s.environment, s.account_id, s.product_id, s.country, s.state,
    s.state_raw, s.auto_renew, s.auto_renew_product_id, s.expires_at, s.grace_expires_at, s.ended_at, s.end_reason,
    s.registered_at, s.next_check_at, s.next_check_reason, s.last_checked_at, s.last_run_id, s.failures, s.last_error,
    case when s.store = 'app_store' then s.store_key end as store_key,
    s.receipt_id is not null as has_receipt,
    subledger.has_access(s.subscription_key, $2::timestamptz) as has_access,
    subledger.access_until(
        stated.state, s.expires_at, s.grace_expires_at, s.ended_at, s.last_checked_at, read.is_missing, policy.grace_buffer,
        policy.unread_limit
    ) as access_until,
    subledger.access_reason(
        stated.state, s.expires_at, s.grace_expires_at, read.is_missing, $2::timestamptz
    ) as access_reason
from subledger.subscriptions s
cross join subledger.settings policy
cross join lateral (
    select case when s.state = 'unreachable' then subledger.state_before_unreachable(s.subscription_key) else s.state end
        as state
) stated
cross join lateral (
    select subledger.is_unread(
        s.app_id, stated.state, s.state = 'unreachable', s.expires_at, s.grace_expires_at, s.failures, s.last_checked_at, s.last_failed_at,
        policy.grace_buffer, policy.unread_limit, $2::timestamptz
    ) as is_missing
) read
where s.subscription_key = $1::bigint
