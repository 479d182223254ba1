-- Subscriptions that accepted purchases register, where no other transaction was faster; subledger.register adds the rest.
-- Grain: one row per subscription that was not there. $1 app, $2 store keys, $3 the run's now
insert into subledger.subscriptions (subscription_key, lineage_key, app_id, store, store_key, registered_at)
select key.subscription_key, key.subscription_key, app.app_id, app.store, given.store_key, $3::timestamptz
from unnest($2::text[]) as given (store_key)
cross join lateral (select subledger.subscription_key($1::text, given.store_key) as subscription_key) key
join subledger.apps app on app.app_id = $1::text
order by key.subscription_key
on conflict (subscription_key) do nothing
returning subscription_key
