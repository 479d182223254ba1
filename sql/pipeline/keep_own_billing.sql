-- Keeps which apps' owners sell on billing of their own in step with the configuration, and when it changed.
-- Grain: one row per app where it changed; an app that never did has none. $1 apps, $2 those with billing of their own
insert into subledger.own_billing (app_id, has_own_billing, after_seal)
select configured.app_id, configured.app_id = any ($2::text[]), policy.last_seal
from unnest($1::text[]) as configured (app_id)
cross join subledger.settings policy
where (configured.app_id = any ($2::text[])) is distinct from coalesce((
    select held.has_own_billing
    from subledger.own_billing held
    where held.app_id = configured.app_id
    order by held.change_id desc
    limit 1
), false)
