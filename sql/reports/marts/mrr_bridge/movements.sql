-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into mrr_daily as stored (
    day, app_id, store, product_id, currency, bucket, nanos, changes, reporting_nanos, unconverted
)
select *
from (
    select
        day, app_id, store, product_id, currency, bucket, sum(sign * nanos) as nanos, sum(sign) as changes,
        sum(sign * reporting_nanos) as reporting_nanos, sum(sign * unconverted) as unconverted
    from pg_temp.changed_mrr_changes
    group by day, app_id, store, product_id, currency, bucket
) moved
where (nanos, changes, reporting_nanos, unconverted) <> (0, 0, 0, 0)
on conflict (day, app_id, store, product_id, currency, bucket) do update set
    nanos = stored.nanos + excluded.nanos,
    changes = stored.changes + excluded.changes,
    reporting_nanos = stored.reporting_nanos + excluded.reporting_nanos,
    unconverted = stored.unconverted + excluded.unconverted;

delete from mrr_daily where changes = 0;
