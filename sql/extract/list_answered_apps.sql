-- Apps of which ids were answered well on earlier nights: what their answers come to now says something of a setting.
-- Grain: one row per app. $1 apps, $2 the run's now, $3 run
select asked.app_id
from unnest($1::text[]) as asked (app_id)
where
    exists (
        select from subledger.subscriptions stored
        where stored.app_id = asked.app_id and stored.last_checked_at < $2::timestamptz
    )
    or exists (
        select from subledger.watched_sales watched
        where watched.app_id = asked.app_id and watched.last_run_id <> $3::bigint
    )
