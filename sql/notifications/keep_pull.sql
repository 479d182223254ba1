-- An app's notifications were fetched up to here: its store keeps them.
-- Grain: one row. $1 app, $2 pulled until (NULL: to no instant), $3 run
insert into subledger.notification_pulls as held (app_id, pulled_until, recorded_run_id)
values ($1::text, $2::timestamptz, $3::bigint)
on conflict (app_id) do update set
    pulled_until = greatest(held.pulled_until, excluded.pulled_until),
    not_kept_since = null,
    recorded_run_id = excluded.recorded_run_id
