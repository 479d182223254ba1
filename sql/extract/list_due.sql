-- The subscriptions of a chunk, with what we know of each.
-- Grain: one row per subscription, in the chunk's order. $1 keys
select
    s.subscription_key, s.lineage_key, s.app_id, s.store, s.environment, s.store_key, s.account_id, s.product_id, s.country,
    s.state, s.state_raw, s.auto_renew, s.auto_renew_product_id, s.expires_at, s.grace_expires_at, s.ended_at,
    s.end_reason, s.committed_until, s.renewal_price_micros, s.renewal_currency, s.last_checked_at, s.last_failed_at, s.failures,
    s.refusals, s.last_refused_at, s.source_version, s.history_cursor, s.registered_at, s.next_check_reason, s.check_requests,
    s.refund_notified_at, s.refund_reports, s.notified_rows, s.is_history_notified, s.receipt_id, r.receipt
from unnest($1::bigint[]) with ordinality as asked (subscription_key, place)
join subledger.subscriptions s on s.subscription_key = asked.subscription_key
left join subledger.receipts r on r.receipt_id = s.receipt_id
order by asked.place
