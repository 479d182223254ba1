-- An app's store says that it keeps no notifications for it; when it said so first stays.
-- Grain: one row, returned when it was not known. $1 app, $2 the run's now, $3 run
insert into subledger.notification_pulls as held (app_id, not_kept_since, recorded_run_id)
values ($1::text, $2::timestamptz, $3::bigint)
on conflict (app_id) do update set not_kept_since = excluded.not_kept_since, recorded_run_id = excluded.recorded_run_id
where held.not_kept_since is null
returning app_id
