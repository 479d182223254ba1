-- Keeps the apps in step with the configuration.
-- Grain: one row per app. $1 apps, $2 stores, $3 environments, $4 default countries
insert into subledger.apps as held (app_id, store, environment, default_country)
select app_id, store, environment, default_country
from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as configured (app_id, store, environment, default_country)
on conflict (app_id) do update set
    store = excluded.store,
    environment = excluded.environment,
    default_country = excluded.default_country
where (held.store, held.environment, held.default_country)
    is distinct from (excluded.store, excluded.environment, excluded.default_country)
