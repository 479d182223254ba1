-- Grain: one row per app of a run. $1 run, $2 apps
insert into subledger.run_apps (run_id, app_id)
select $1::bigint, app_id from unnest($2::text[]) as app (app_id)
