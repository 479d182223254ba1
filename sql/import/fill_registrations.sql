-- What an import knows beyond a registration, for subscriptions the store was never asked about: its word counts more.
-- Grain: one row per subscription. $1 keys, $2 new by this import, $3 expiries, $4 the run's now
with given as (
    select distinct on (line.subscription_key)
        line.subscription_key, line.is_new, line.expires_at
    from unnest($1::bigint[], $2::boolean[], $3::timestamptz[]) with ordinality
        as line (subscription_key, is_new, expires_at, place)
    order by line.subscription_key, line.expires_at is null, line.place desc
)

update subledger.subscriptions held
set
    expires_at = coalesce(given.expires_at, held.expires_at),
    registered_at = case when given.is_new then $4::timestamptz else held.registered_at end
from given
where held.subscription_key = given.subscription_key
    and held.state = 'unverified'
    and held.last_checked_at is null
