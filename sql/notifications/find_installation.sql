-- When an app was first worked for here. Grain: one row; NULL where it never was. $1 app
select min(run.logical_now) as installed_at
from subledger.run_apps part
join subledger.runs run on run.run_id = part.run_id
where part.app_id = $1::text
