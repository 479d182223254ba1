-- Purchases that were judged long ago: refused, or registered as subscriptions, which know whose they are. Those that wait
-- stay.
-- Grain: one row per purchase. $1 judged before
delete from subledger.purchase_inbox judged
where judged.checked_at < $1::timestamptz
    and (
        judged.state = 'refused'
        or judged.state = 'accepted' and exists (
            select from subledger.subscriptions held where held.subscription_key = judged.subscription_key
        )
    )
