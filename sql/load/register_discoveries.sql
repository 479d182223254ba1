-- Subscriptions that an answer showed beside the one asked about: registered under the same account, due at once.
-- Grain: one row per discovered subscription. $1 keys, $2 apps, $3 stores, $4 environments, $5 store keys, $6 products,
-- $7 keys of their discoverers, $8 receipts (0: none), $9 the run's now
insert into subledger.subscriptions (
    subscription_key, lineage_key, app_id, store, environment, store_key, account_id, product_id, country, receipt_id,
    registered_at
)
select distinct on (found.key)
    found.key, found.key, found.app_id, found.store, found.environment, found.store_key, discoverer.account_id,
    found.product_id, discoverer.country, nullif(found.receipt_id, 0), $9::timestamptz
from unnest(
    $1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[]
) as found (key, app_id, store, environment, store_key, product_id, discovered_by, receipt_id)
left join subledger.subscriptions discoverer on discoverer.subscription_key = found.discovered_by
order by found.key
on conflict (subscription_key) do nothing
