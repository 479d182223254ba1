-- A receipt handed in without an id stood as a placeholder; its subscriptions are known now. A one-time product stood as
-- one until it was asked about; it is booked now, and has no row among the subscriptions.
-- One whose receipt was handed in again while its store was being asked stays, and is asked again.
-- Grain: one row per placeholder. $1 keys, $2 how often each was made due when it was read
delete from subledger.subscriptions held
using unnest($1::bigint[], $2::text[]) as placeholder (subscription_key, wakes_read)
where held.subscription_key = placeholder.subscription_key
    and held.last_checked_at is null
    and (
        held.store_key like 'receipt-%'
        or exists (
            select from subledger.transactions sale
            where sale.subscription_key = held.subscription_key and sale.kind = 'one_time'
        )
    )
    and not subledger.is_woken(held.wakes, placeholder.wakes_read::bigint, held.next_check_at)
