-- rests on: cohorts_monthly, marts.half_even, marts.months_between, marts.nearest, marts.ratio, marts.share
-- Cohorts: of the lineages that first paid in a month, how many paid in each month of their lives since.
-- Grain: one row per calendar month of the first payment, app, store and month number from 0 on.
--
-- Month N of a lineage runs from N to N + 1 calendar months after its first payment. It is paid when a paid period, to its
-- own end, without a grace, lies in it by more than the {rule cohort_drift in words} that stores add and renewals drift. A cell is blank until
-- every lineage of the cohort has reached its month N. Imported lineages, whose first payment is unknown, have no cohort.
create view cohorts (cohort_month, app_id, store, month_number, cohort_size, paid, retention, revenue_retention, cohort_month_start) as
with paying as materialized (
    select
        date_trunc('month', lived.cohort_day::timestamp)::date as month, lived.app_id, lived.store,
        lived.month_number as number, sum(lived.lineages)::bigint as lineages,
        sum(lived.nanos) filter (where lived.currency <> '') as nanos
    from cohorts_monthly lived
    join report_scope scope on lived.cohort_day <= scope.through_date
    group by 1, 2, 3, 4
),

currencies as (
    select
        date_trunc('month', lived.cohort_day::timestamp)::date as month, lived.app_id, lived.store,
        count(distinct nullif(lived.currency, '')) = 1 as is_one
    from cohorts_monthly lived
    join report_scope scope on lived.cohort_day <= scope.through_date
    group by 1, 2, 3
),

-- Month 0 contains the whole cohort: every lineage paid in it.
cells as (
    select
        size.month, size.app_id, size.store, size.lineages, size.nanos as nanos_at_first, month_number::bigint as number,
        size.month + make_interval(months => month_number::integer + 1)
            <= scope.through_date::timestamp + interval '1 day' as is_matured
    from paying size
    cross join report_scope scope
    cross join lateral generate_series(
        0, marts.months_between(size.month::timestamp, scope.through_date::timestamp)
    ) month_number
    where size.number = 0
        and isfinite(scope.through_date)
        and size.month >= date_trunc('month', scope.from_date::timestamp)
)

select
    to_char(cell.month, 'YYYY-MM'), cell.app_id, cell.store, cell.number, cell.lineages,
    case when cell.is_matured then coalesce(paying.lineages, 0) end,
    case when cell.is_matured then marts.share(coalesce(paying.lineages, 0), cell.lineages) end,
    case
        when cell.is_matured and currencies.is_one then marts.ratio(coalesce(paying.nanos, 0), cell.nanos_at_first)
    end,
    cell.month
from cells cell
left join paying
    on paying.month = cell.month
    and paying.app_id = cell.app_id
    and paying.store = cell.store
    and paying.number = cell.number
left join currencies
    on currencies.month = cell.month and currencies.app_id = cell.app_id and currencies.store = cell.store;
