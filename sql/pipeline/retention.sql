-- What is cleared once it is older than the owner keeps it.

-- name: clear_answers
-- Archived answers that are too old to keep and changed nothing when they came.
-- Grain: one row per answer. $1 answered before
delete from subledger.store_answers where answered_at < $1::timestamptz and not is_evidence

-- name: clear_notifications
-- Notifications that were handled long ago. Those that wait stay.
-- Grain: one row per notification. $1 handled before
delete from subledger.notification_inbox where state <> 'pending' and handled_at < $1::timestamptz

-- name: clear_purchases
-- Purchases that were assessed long ago: refused, or registered as subscriptions, which know whose they are. Those that wait
-- stay.
-- Grain: one row per purchase. $1 assessed before
delete from subledger.purchase_inbox assessed
where assessed.checked_at < $1::timestamptz
    and (
        assessed.state = 'refused'
        or assessed.state = 'accepted' and exists (
            select from subledger.subscriptions stored where stored.subscription_key = assessed.subscription_key
        )
    )

-- name: clear_sales
-- One-time sales that were accepted long ago: nothing else knows whose they are, so their verdict stays, and what was
-- handed in goes.
-- Grain: one row per purchase. $1 assessed before
update subledger.purchase_inbox set payload = '', signature = null
where checked_at < $1::timestamptz and state = 'accepted' and payload <> ''
