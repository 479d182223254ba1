-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into exclusions_daily as stored (
    day, app_id, reason, rows
)
select day, app_id, reason, sum(sign)
from pg_temp.changed_exclusion_reasons
group by day, app_id, reason
having sum(sign) <> 0
on conflict (day, app_id, reason) do update set
    rows = stored.rows + excluded.rows;

delete from exclusions_daily where rows = 0;
