-- Registers the subscriptions of accepted purchases with what these state, in the order they were handed in.
-- Grain: one row per purchase and subscription. $1 app, $2 store keys, $3 accounts, $4 products, $5 environments, $6 receipts
select subledger.record_registration(
        $1::text, given.store_key, given.account_id, given.product_id, given.environment, null, given.receipt)
        as subscription_key
from (
    select line.*
    from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality
        as line (store_key, account_id, product_id, environment, receipt, place)
    order by line.place
) given
