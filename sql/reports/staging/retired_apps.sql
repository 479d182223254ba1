-- rests on: marts.zone_of, subledger.app_retirements, subledger.apps, subledger.runs, subledger.time_zone_of_store
-- Apps that are retired, as the seal saw it. Grain: one row per app. retired_at: when its day begins.
-- What is known of their lineages holds until the later of it and the expiry; then they leave, and whether anybody left is unknown.
create temp table retired_apps on commit drop as
select
    app.app_id, recorded.retired_on,
    recorded.retired_on::timestamp at time zone marts.zone_of(app.store, scope.time_zone) as retired_at
from (
    select distinct on (known.app_id) known.app_id, known.retired_on
    from subledger.app_retirements known
    join subledger.runs run on run.run_id = known.recorded_run_id
    join pg_temp.report_scope scope on run.seal <= scope.seal
    order by known.app_id, run.seal desc
) recorded
join subledger.apps app on app.app_id = recorded.app_id
cross join pg_temp.report_scope scope
where recorded.retired_on is not null;

analyze pg_temp.retired_apps;
