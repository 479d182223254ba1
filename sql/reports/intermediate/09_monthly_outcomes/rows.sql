-- The monthly outcomes of the lineages at hand. Grain: see the table.
create temp table new_monthly_outcomes on commit drop as
with periods as (
    select
        period.*,
        lead(period.entry) over line as next_entry,
        lead(period.product_id) over line <> period.product_id
            or coalesce(lead(period.base_plan_id) over line <> period.base_plan_id, false) as is_next_other_plan
    from pg_temp.new_paid_periods period
    window line as (partition by period.lineage_key, period.is_added_seats order by period.place)
),

changes as (
    select
        lineage_key, currency, day, date_trunc('month', day::timestamp)::date as month,
        -sum(nanos) filter (where bucket like 'churn%' or bucket = 'contraction') as lost,
        sum(nanos) filter (where bucket = 'expansion') as expanded,
        sum(nanos) filter (where bucket in ('recovery', 'lapsed', 'paused')) as recovered,
        sum(nanos) filter (where bucket = 'reactivation') as reactivated
    from pg_temp.new_mrr_changes
    group by lineage_key, currency, day
),

-- Changes of lineages that were active when the month began, and the month so far with each.
so_far as (
    select
        opened.lineage_key, opened.app_id, opened.store, opened.product_id, opened.currency, changes.month, changes.day,
        opened.mrr_nanos as opening_nanos, opened.mrr_reporting_nanos as opening_reporting_nanos,
        coalesce(changes.reactivated, 0) as reactivated,
        least(opened.mrr_nanos, coalesce(sum(changes.lost) over month_so_far, 0)) as lost,
        coalesce(sum(changes.expanded) over month_so_far, 0)
            + greatest(0, sum(changes.recovered) over month_so_far) as gained
    from changes
    join pg_temp.new_paid_periods opened
        on opened.lineage_key = changes.lineage_key
        and opened.currency = changes.currency
        and opened.start_day < changes.month
        and opened.end_day >= changes.month
    window month_so_far as (partition by opened.lineage_key, opened.currency, changes.month order by changes.day)
),

added as (
    select
        lineage_key, day, app_id, store, product_id, currency, opening_nanos, opening_reporting_nanos, reactivated,
        lost - lag(lost, 1, 0::numeric) over month_so_far as lost,
        gained - lag(gained, 1, 0::numeric) over month_so_far as gained
    from so_far
    window month_so_far as (partition by lineage_key, currency, month order by day)
),

-- Every change of the lineages that were active when the month began, whatever product and currency it is under, in the reporting
-- currency: what is in the currency that they opened with at that period's rate, the rest at its own.
worth as (
    select
        opened.lineage_key, opened.app_id, opened.store, opened.product_id, opened.currency,
        opened.mrr_reporting_nanos as opening_nanos, date_trunc('month', change.day::timestamp)::date as month, change.day,
        change.bucket, change.transaction_id, change.unconverted,
        case
            when change.currency = opened.currency and opened.mrr_nanos > 0
                then marts.nearest(change.nanos::numeric * opened.mrr_reporting_nanos, opened.mrr_nanos)
            else change.reporting_nanos
        end as nanos
    from pg_temp.new_mrr_changes change
    join pg_temp.new_paid_periods opened
        on opened.lineage_key = change.lineage_key
        and opened.start_day < date_trunc('month', change.day::timestamp)
        and opened.end_day >= date_trunc('month', change.day::timestamp)
    where opened.mrr_reporting_nanos is not null
),

-- A move between products or currencies: out and in are one change, the difference is won or lost. Who moves out alone, for a free
-- period say, is not lost, and what has no rate cannot be compared.
moved as (
    select lineage_key, month, day, sum(nanos) as nanos
    from worth
    where bucket in ('moved_in', 'moved_out')
    group by lineage_key, month, day, transaction_id
    having bool_or(bucket = 'moved_in') and bool_or(bucket = 'moved_out') and bool_and(unconverted = 0)
),

company_changes as (
    select
        lineage_key, month, day,
        sum(nanos) filter (where bucket like 'churn%' or bucket = 'contraction') as outflow,
        sum(nanos) filter (where bucket = 'expansion') as inflow,
        sum(nanos) filter (where bucket in ('recovery', 'lapsed', 'paused')) as recovered,
        sum(nanos) filter (where bucket = 'reactivation') as reactivated
    from (
        select lineage_key, month, day, bucket, nanos from worth
        union all
        select lineage_key, month, day, case when nanos > 0 then 'expansion' else 'contraction' end, nanos from moved
    ) change
    group by lineage_key, month, day
),

company_so_far as (
    select
        opened.lineage_key, opened.app_id, opened.store, opened.product_id, opened.currency, changes.month, changes.day,
        coalesce(changes.reactivated, 0) as reactivated,
        least(opened.mrr_reporting_nanos, -coalesce(sum(changes.outflow) over month_so_far, 0)) as lost,
        coalesce(sum(changes.inflow) over month_so_far, 0)
            + greatest(0, sum(changes.recovered) over month_so_far) as gained
    from company_changes changes
    join pg_temp.new_paid_periods opened
        on opened.lineage_key = changes.lineage_key
        and opened.start_day < changes.month
        and opened.end_day >= changes.month
    window month_so_far as (partition by opened.lineage_key, changes.month order by changes.day)
),

company_added as (
    select
        lineage_key, day, app_id, store, product_id, currency, reactivated,
        lost - lag(lost, 1, 0::numeric) over month_so_far as lost,
        gained - lag(gained, 1, 0::numeric) over month_so_far as gained
    from company_so_far
    window month_so_far as (partition by lineage_key, month order by day)
),

-- The same moves of all lineages, each period at its own rate, as the bridge has them.
company_moves as (
    select
        change.lineage_key, change.day, change.app_id, change.store,
        min(change.product_id) filter (where change.bucket = 'moved_in') as product_id,
        min(change.currency) filter (where change.bucket = 'moved_in') as currency,
        sum(change.reporting_nanos) as nanos
    from pg_temp.new_mrr_changes change
    where change.bucket in ('moved_in', 'moved_out')
    group by change.lineage_key, change.day, change.app_id, change.store, change.transaction_id
    having bool_or(change.bucket = 'moved_in') and bool_or(change.bucket = 'moved_out') and bool_and(change.unconverted = 0)
),

-- The first charge of each month.
payers as (
    select distinct on (lineage_key, date_trunc('month', day::timestamp))
        lineage_key, day, app_id, store, product_id, currency
    from pg_temp.new_money_movements
    where kind = 'charge' and product_type = 'auto_renewable'
    order by lineage_key, date_trunc('month', day::timestamp), day, occurred_at, transaction_id, product_id, seq
),

gone as (
    select lineage_key, date_trunc('month', end_day::timestamp)::date as month, min(end_day) as day
    from pg_temp.new_paid_periods
    where is_last
        and outcome in ('voluntary', 'involuntary', 'price', 'product', 'refund', 'other')
        and isfinite(end_day)
    group by 1, 2
)

select
    added.lineage_key, added.day, added.app_id, added.store, added.product_id, added.currency, figure.name as figure,
    0::bigint as number, figure.nanos::bigint as nanos,
    coalesce(marts.nearest(figure.nanos * opening_reporting_nanos, nullif(opening_nanos, 0)), 0)::bigint as reporting_nanos,
    null::bigint as tenure, null::text as customer
from added
cross join lateral (values ('lost', lost), ('gained', gained), ('reactivated', reactivated)) figure (name, nanos)
where figure.nanos <> 0
union all
select
    lineage_key, day, app_id, store, product_id, currency, figure.name, 0, 0, figure.nanos::bigint, null, null
from company_added
cross join lateral (
    values ('company_lost', lost), ('company_gained', gained), ('company_reactivated', reactivated)
) figure (name, nanos)
where figure.nanos <> 0
union all
select
    lineage_key, day, app_id, store, product_id, currency, case when nanos > 0 then 'moved_up' else 'moved_down' end, 0, 0,
    abs(nanos)::bigint, null, null
from company_moves
where nanos <> 0
union all
select lineage_key, day, app_id, store, product_id, currency, 'payer', 1, 0, 0, null, null
from payers
union all
select
    gone.lineage_key, gone.day, opened.app_id, opened.store, opened.product_id, coalesce(opened.currency, ''), 'churned', 1, 0, 0,
    opened.tenure, opened.customer
from gone
join pg_temp.new_paid_periods opened
    on opened.lineage_key = gone.lineage_key
    and opened.start_day < gone.month
    and opened.end_day >= gone.month
union all
-- Periods that ran to their own end: renewed, lost, or given way to another plan; seats that were added to one are
-- due with it.
select
    lineage_key, declared_end_day, app_id, store, product_id, coalesce(currency, ''), figure.name, 1, 0, 0, tenure, customer
from periods
cross join lateral (
    values
        ('due', not coalesce(next_entry = 'change' and is_next_other_plan, false)),
        ('renewed', next_entry = 'change' and not is_next_other_plan),
        ('plan_change', next_entry = 'change' and is_next_other_plan)
) figure (name, is_so)
where figure.is_so and not is_added_seats and not is_cut_short;

analyze pg_temp.new_monthly_outcomes;
