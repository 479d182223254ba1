-- Subscriptions that were not registered before this import, unless another transaction was faster.
-- Grain: one row per subscription that was not there. $1 keys, $2 apps, $3 store keys, $4 accounts, $5 products,
-- $6 environments, $7 countries, $8 expiries, $9 receipt ids, $10 the run's now
insert into subledger.subscriptions (
    subscription_key, lineage_key, app_id, store, store_key, account_id, product_id, environment, country, expires_at,
    receipt_id, registered_at)
select
    given.subscription_key, given.subscription_key, app.app_id, app.store, given.store_key, given.account_id,
    given.product_id, given.environment, given.country, given.expires_at::timestamptz, given.receipt_id::bigint,
    $10::timestamptz
from unnest(
    $1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[]
) as given (
    subscription_key, app_id, store_key, account_id, product_id, environment, country, expires_at, receipt_id
)
join subledger.apps app on app.app_id = given.app_id
order by given.subscription_key
on conflict (subscription_key) do nothing
returning subscription_key
