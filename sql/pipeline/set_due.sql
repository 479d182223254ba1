-- An app of a run is planned. Grain: one row. $1 run, $2 app, $3 due
update subledger.run_apps set due = $3::bigint
where run_id = $1::bigint and app_id = $2::text
