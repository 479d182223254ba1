-- A receipt handed in without an id stood as a placeholder; its subscriptions are known now. An App Store's one-time product
-- stood as one until it was asked about; it is booked now, and has no row among the subscriptions. So did a Google Play token
-- that turned out to be that of a one-time purchase: its sale stands under its order.
-- One that was handed in again while its store was being asked stays, and is asked again.
-- Grain: one row per placeholder. $1 keys, $2 how often each was made due when it was read
delete from subledger.subscriptions held
using unnest($1::bigint[], $2::text[]) as placeholder (subscription_key, check_requests_seen)
where held.subscription_key = placeholder.subscription_key
    and (
        held.last_checked_at is null and (
            held.store_key like 'receipt-%'
            or exists (
                select from subledger.transactions sale
                where sale.subscription_key = held.subscription_key and sale.kind = 'one_time'
            )
        )
        or held.store = 'google_play'
            and not exists (
                select from subledger.transactions sold where sold.subscription_key = held.subscription_key
            )
    )
    and not subledger.is_check_requested(held.check_requests, placeholder.check_requests_seen::bigint, held.next_check_at)
