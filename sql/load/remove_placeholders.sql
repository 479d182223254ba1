-- A receipt handed in without an id stood as a placeholder; its subscriptions are known now. An App Store's one-time product
-- stood as one until it was asked about; it is booked now, and has no row among the subscriptions. So did a Google Play token
-- that turned out to be that of a one-time purchase: its sale is booked under its order.
-- One that was handed in again while its store was being asked stays, and is asked again.
-- Grain: one row per placeholder. $1 keys, $2 how often each was made due when it was read
delete from subledger.subscriptions stored
using unnest($1::bigint[], $2::text[]) as placeholder (subscription_key, check_requests_seen)
where stored.subscription_key = placeholder.subscription_key
    and (
        stored.last_checked_at is null and (
            stored.store_key like 'receipt-%'
            or exists (
                select from subledger.transactions sale
                where sale.subscription_key = stored.subscription_key and sale.kind = 'one_time'
            )
        )
        or subledger.is_sale_booked_by_order(stored.store)
            and not exists (
                select from subledger.transactions sold where sold.subscription_key = stored.subscription_key
            )
    )
    and not subledger.is_check_requested(stored.check_requests, placeholder.check_requests_seen::bigint, stored.next_check_at)
