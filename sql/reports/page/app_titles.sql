-- What apps are called for people, as a seal saw it. Grain: one row per app that has a title. $1 seal
select named.app_id, named.title
from (
    select distinct on (recorded.app_id) recorded.app_id, recorded.title
    from subledger.app_titles recorded
    join subledger.runs run on run.run_id = recorded.recorded_run_id
    where run.seal <= $1::bigint
    order by recorded.app_id, run.seal desc
) named
where named.title is not null
order by named.app_id collate "C"
