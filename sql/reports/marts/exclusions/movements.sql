-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into exclusions_daily as held (
    day, app_id, reason, currency, rate_day, rows
)
select day, app_id, reason, currency, rate_day, sum(sign)
from changed_exclusion_reasons
group by day, app_id, reason, currency, rate_day
having sum(sign) <> 0
on conflict (day, app_id, reason, currency, rate_day) do update set
    rows = held.rows + excluded.rows;

delete from exclusions_daily where rows = 0;
