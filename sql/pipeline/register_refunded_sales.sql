-- Google Play reports a refunded one-time purchase by its token, which is not registered: registers it, so that it is asked
-- about once more and its sale shows the refund.
-- Grain: one row per token whose order is a sale that we know, and know as not wholly given back. $1 app, $2 tokens,
-- $3 transactions (NULL: not named)
select subledger.record_registration($1::text, refunded.store_key) as subscription_key
from (
    select distinct given.store_key
    from unnest($2::text[], $3::text[]) as given (store_key, transaction_id)
    join subledger.transactions sold
        on sold.transaction_id = given.transaction_id
        and sold.app_id = $1::text
        and sold.kind = 'one_time'
        and sold.refund_kind is distinct from 'full'
    where subledger.store_id_fault(sold.store, given.store_key) is null
        and not exists (
            select from subledger.subscriptions stored
            where stored.subscription_key = subledger.subscription_key($1::text, given.store_key)
        )
) refunded
