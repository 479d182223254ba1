-- Registers subscriptions that an authentic notification is about and that were not handed in; one that is read from receipts
-- and has none yet gets the notification's. The account is not known.
-- Grain: one row per subscription that was registered or given a receipt. $1 app, $2 store keys, $3 products,
-- $4 environments, $5 receipts
select
    hint.store_key,
    stored.subscription_key is null as is_new,
    subledger.record_registration($1::text, hint.store_key, null, hint.product_id, hint.environment, null, hint.receipt)
        as subscription_key
from (
    select distinct on (given.store_key)
        given.store_key, given.product_id, given.environment, given.receipt
    from unnest($2::text[], $3::text[], $4::text[], $5::text[]) with ordinality
        as given (store_key, product_id, environment, receipt, place)
    order by given.store_key, given.place desc
) hint
left join subledger.subscriptions stored
    on stored.subscription_key = subledger.subscription_key($1::text, hint.store_key)
where stored.subscription_key is null or (stored.receipt_id is null and hint.receipt is not null)
