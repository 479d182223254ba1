-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into outcomes_daily as held (
    day, app_id, store, product_id, currency, figure, rows, number, nanos
)
select day, app_id, store, product_id, currency, figure, sum(sign), sum(sign * number), sum(sign * nanos)
from changed_monthly_outcomes
group by day, app_id, store, product_id, currency, figure
having sum(sign) <> 0 or sum(sign * number) <> 0 or sum(sign * nanos) <> 0
on conflict (day, app_id, store, product_id, currency, figure) do update set
    rows = held.rows + excluded.rows,
    number = held.number + excluded.number,
    nanos = held.nanos + excluded.nanos;

delete from outcomes_daily where rows = 0;
