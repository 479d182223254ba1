-- An app's unasked news was read to here. Grain: one row. $1 app, $2 read until, $3 run
insert into subledger.store_news as held (app_id, read_until, recorded_run_id)
values ($1::text, $2::timestamptz, $3::bigint)
on conflict (app_id) do update set read_until = excluded.read_until, recorded_run_id = excluded.recorded_run_id
where held.read_until <= excluded.read_until
