-- Which of these transactions are known: booked under this id, under that of a restore or as the same period, or
-- accepted before.
-- Grain: one row per given pair that is. $1 keys, $2 transactions, $3 period keys
select given.subscription_key, given.transaction_id
from unnest($1::bigint[], $2::text[], $3::text[]) as given (subscription_key, transaction_id, period_key)
where exists (
        select from subledger.transactions booked
        where booked.subscription_key = given.subscription_key
            and (booked.transaction_id = given.transaction_id or booked.period_key = given.period_key)
    )
    or exists (
        select from subledger.transaction_aliases restored
        where restored.subscription_key = given.subscription_key
            and restored.alias_transaction_id = given.transaction_id
    )
    or exists (
        select from subledger.purchase_inbox accepted
        where accepted.subscription_key = given.subscription_key
            and accepted.transaction_id = given.transaction_id
            and accepted.state = 'accepted'
    )
