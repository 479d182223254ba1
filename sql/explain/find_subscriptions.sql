-- Whatever somebody holds in hand: our key, the store's id or token, a transaction or order id (with or without its
-- number of renewals), a period key's alias, or the owner's customer id.
-- Grain: one row per subscription, at most 20. $1 what was given
with candidates as (
    select subledger.subscription_key(a.app_id, $1::text) as subscription_key
    from subledger.apps a
    union
    select given.key::bigint
    from (select case when $1::text ~ '^[0-9]{1,19}$' then $1::text::numeric end) given (key)
    where given.key <= 9223372036854775807
    union
    select t.subscription_key from subledger.transactions t where t.transaction_id = $1::text
    union
    select t.subscription_key
    from subledger.transactions t
    where t.transaction_id >= $1::text || '..' and t.transaction_id < $1::text || './'
    union
    select a.subscription_key from subledger.transaction_aliases a where a.alias_transaction_id = $1::text
    union
    select s.subscription_key from subledger.subscriptions s where s.account_id = $1::text
)

select c.subscription_key
from candidates c
where exists (select 1 from subledger.subscriptions s where s.subscription_key = c.subscription_key)
    or exists (select 1 from subledger.transactions t where t.subscription_key = c.subscription_key)
order by c.subscription_key
limit 20
