-- The lifetime values of the lineages at hand. Grain: see the table.
create temp table new_lifetime_values on commit drop as
with lineages as (
    select lineage_key, app_id, store, currency, starts_at, start_day
    from pg_temp.new_paid_periods
    where entry = 'new' and currency is not null
)

select lineage_key, 0 as days, start_day as cohort_day, app_id, store, currency, 1::bigint as lineages, 0::bigint as micros,
    0::numeric as reporting_micros, 0::bigint as unconverted
from lineages
union all
select
    lineage.lineage_key, span.days, date_trunc('month', lineage.start_day::timestamp)::date, lineage.app_id, lineage.store,
    lineage.currency, 0, sum(money.amount_micros)::bigint, coalesce(sum(money.reporting_micros), 0),
    count(*) filter (where money.reporting_micros is null)
from lineages lineage
join pg_temp.new_money_movements money
    on money.lineage_key = lineage.lineage_key
    and money.currency = lineage.currency
    and money.product_type = 'auto_renewable'
join (values (30), (90), (180), (365)) span (days)
    on money.occurred_at - lineage.starts_at < make_interval(days => span.days)
group by
    lineage.lineage_key, span.days, lineage.start_day, lineage.app_id, lineage.store, lineage.currency;

analyze pg_temp.new_lifetime_values;
