-- Statements about apps and what is kept of their stores.

-- name: persist_apps
-- Keeps the apps in step with the configuration. One that is in step is not locked: a load may have locked it (`lock_lineages`), and
-- every job begins with this.
-- Grain: one row per app. $1 apps, $2 stores, $3 environments, $4 default countries, $5 days since which they are retired, $6 titles
insert into subledger.apps (app_id, store, environment, default_country, retired_on, title)
select app_id, store, environment, default_country, retired_on::date, title
from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
    as configured (app_id, store, environment, default_country, retired_on, title)
except
select app_id, store, environment, default_country, retired_on, title
from subledger.apps
on conflict (app_id) do update set
    store = excluded.store,
    environment = excluded.environment,
    default_country = excluded.default_country,
    retired_on = excluded.retired_on,
    title = excluded.title

-- name: list_apps
-- Every app the database knows. Grain: one row per app
select app_id from subledger.apps order by app_id

-- name: list_unconfigured_apps
-- Apps that the configuration does not name and whose subscriptions would be checked. Grain: one row per app. $1 configured apps
select known.app_id, followed.subscriptions
from subledger.apps known
cross join lateral (
    select count(*) as subscriptions
    from subledger.subscriptions waiting
    where waiting.app_id = known.app_id and waiting.next_check_at is not null
) followed
where known.app_id <> all ($1::text[]) and followed.subscriptions > 0
order by known.app_id collate "C"

-- name: persist_own_billing
-- Keeps which apps' owners sell on billing of their own in step with the configuration, and when it changed.
-- Grain: one row per app where it changed; an app that never did has none. $1 apps, $2 those with billing of their own
insert into subledger.own_billing (app_id, has_own_billing, after_seal)
select configured.app_id, configured.app_id = any ($2::text[]), policy.last_seal
from unnest($1::text[]) as configured (app_id)
cross join subledger.settings policy
where (configured.app_id = any ($2::text[])) is distinct from coalesce((
    select stored.has_own_billing
    from subledger.own_billing stored
    where stored.app_id = configured.app_id
    order by stored.change_id desc
    limit 1
), false)

-- name: find_event_watermark
-- How far an app's unsolicited store events were read. Grain: no row the first time, else one. $1 app
select read_until from subledger.store_event_watermarks where app_id = $1::text

-- name: persist_event_watermark
-- An app's unsolicited store events were read to here. Grain: one row. $1 app, $2 read until, $3 run
insert into subledger.store_event_watermarks as stored (app_id, read_until, recorded_run_id)
values ($1::text, $2::timestamptz, $3::bigint)
on conflict (app_id) do update set read_until = excluded.read_until, recorded_run_id = excluded.recorded_run_id
where stored.read_until <= excluded.read_until
