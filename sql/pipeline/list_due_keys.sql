-- What a dry run asks about: everything due for an app, planned nowhere.
-- Grain: one row per subscription. $1 app, $2 now, $3 every subscription not closed
select subscription_key
from subledger.subscriptions
where app_id = $1::text
    and (
        next_check_at <= $2::timestamptz
        or ($3::boolean and next_check_at is not null and state not in ('expired', 'revoked'))
    )
order by coalesce(grace_expires_at, expires_at) nulls first, subscription_key
