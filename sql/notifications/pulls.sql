-- Statements about notification_pulls: how far each app was fetched.

-- name: find_pull
-- How far an app's notifications were fetched, and whether its store was said to keep none.
-- Grain: no row the first time, else one. $1 app
select pulled_until, unavailable_since from subledger.notification_pulls where app_id = $1::text

-- name: persist_pull
-- An app's notifications were fetched up to here: its store keeps them.
-- Grain: one row. $1 app, $2 pulled until (NULL: to no instant), $3 run
insert into subledger.notification_pulls as stored (app_id, pulled_until, recorded_run_id)
values ($1::text, $2::timestamptz, $3::bigint)
on conflict (app_id) do update set
    pulled_until = greatest(stored.pulled_until, excluded.pulled_until),
    unavailable_since = null,
    recorded_run_id = excluded.recorded_run_id

-- name: mark_history_unavailable
-- An app's store says that it keeps no notifications for it; when it said so first stays.
-- Grain: one row, returned when it was not known. $1 app, $2 the run's now, $3 run
insert into subledger.notification_pulls as stored (app_id, unavailable_since, recorded_run_id)
values ($1::text, $2::timestamptz, $3::bigint)
on conflict (app_id) do update set unavailable_since = excluded.unavailable_since, recorded_run_id = excluded.recorded_run_id
where stored.unavailable_since is null
returning app_id
