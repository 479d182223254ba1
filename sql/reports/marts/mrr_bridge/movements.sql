-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into mrr_daily as held (
    day, app_id, store, product_id, currency, bucket, nanos, changes
)
select day, app_id, store, product_id, currency, bucket, sum(sign * nanos), sum(sign)
from changed_mrr_changes
group by day, app_id, store, product_id, currency, bucket
having sum(sign * nanos) <> 0 or sum(sign) <> 0
on conflict (day, app_id, store, product_id, currency, bucket) do update set
    nanos = held.nanos + excluded.nanos,
    changes = held.changes + excluded.changes;

delete from mrr_daily where changes = 0;
