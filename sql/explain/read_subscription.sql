-- A subscription in its current state, and the access it gives. A store's id is returned where it is no secret; a receipt never
-- leaves.
-- Grain: one row. $1 key, $2 now
select
    s.subscription_key, s.lineage_key, s.app_id, s.store, s.environment, s.account_id, s.product_id, s.country, s.state,
    s.state_raw, s.auto_renew, s.auto_renew_product_id, s.expires_at, s.grace_expires_at, s.ended_at, s.end_reason,
    s.committed_until,
    s.registered_at, s.next_check_at, s.next_check_reason, s.last_checked_at, s.last_run_id, s.failures, s.last_error,
    case when not subledger.is_id_secret(s.store) then s.store_key end as store_key,
    s.receipt_id is not null as has_receipt,
    subledger.has_access(s.subscription_key, $2::timestamptz) as has_access,
    access.access_until, access.reason as access_reason
from subledger.subscriptions s
left join lateral subledger.access_at(s.subscription_key, $2::timestamptz) access on true
where s.subscription_key = $1::bigint
