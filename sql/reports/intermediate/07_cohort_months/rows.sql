-- The paid months of the lineages at hand. Grain: see the table. Every lineage has lived its month 0: its first period
-- begins it.
create temp table new_cohort_months on commit drop as
with periods as (
    select
        period.*,
        marts.zone_of(period.store, scope.time_zone) as zone,
        least(period.starts_at + {rule cohort_drift}, period.declared_end) as lived_from,
        greatest(period.declared_end - {rule cohort_drift}, period.starts_at) as lived_through
    from pg_temp.new_paid_periods period
    cross join pg_temp.report_scope scope
),

lineages as (
    select lineage_key, app_id, store, zone, starts_at at time zone zone as first_paid
    from periods
    where entry = 'new'
)

select distinct on (lineage.lineage_key, month_number)
    lineage.lineage_key, month_number::bigint,
    case when month_number = 0 then lineage.first_paid::date else date_trunc('month', lineage.first_paid)::date end
        as cohort_day,
    lineage.app_id, lineage.store, period.currency, period.mrr_nanos
from lineages lineage
join periods period on period.lineage_key = lineage.lineage_key
cross join lateral generate_series(
    greatest(0, marts.months_between(lineage.first_paid, period.lived_from at time zone lineage.zone)),
    greatest(0, marts.months_between(lineage.first_paid, period.lived_through at time zone lineage.zone))
) month_number
order by lineage.lineage_key, month_number, period.place desc;

analyze pg_temp.new_cohort_months;
