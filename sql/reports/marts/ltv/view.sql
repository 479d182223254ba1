-- rests on: ltv_monthly, marts.half_even, marts.nearest, marts.unless_all_left_out
-- Realised lifetime value: what the lineages that first paid in a month brought within n days of that payment.
-- Grain: one row per calendar month of the first payment, app, store, currency of the first payment and n (30, 90, 180,
-- 365 days). Blank until the youngest lineage of the cohort is n days old. Actual money only; nothing is predicted.
create view ltv (
    cohort_month, app_id, store, currency, days, cohort_size, net, ltv, net_reporting, ltv_reporting, reporting_currency,
    unconverted, cohort_month_start
) as
with sizes as (
    select
        date_trunc('month', sums.cohort_day::timestamp)::date as month, app_id, store, sums.currency,
        sum(lineages)::bigint as lineages
    from ltv_monthly sums
    join report_scope scope
        on sums.cohort_day <= scope.through_date
        and sums.cohort_day >= date_trunc('month', scope.from_date::timestamp)
    where sums.days = 0
    group by 1, app_id, store, sums.currency
)

select
    to_char(size.month, 'YYYY-MM'), size.app_id, size.store, size.currency, span.days::bigint, size.lineages,
    case when matured.is_so then marts.half_even(coalesce(sums.micros, 0), 1) end,
    case when matured.is_so then marts.half_even(coalesce(sums.micros, 0), size.lineages) end,
    case when matured.is_so then marts.half_even(converted.micros, 1) end,
    case when matured.is_so then marts.half_even(converted.micros, size.lineages) end,
    scope.reporting_currency,
    case when matured.is_so then coalesce(sums.unconverted, 0)::bigint end,
    size.month
from sizes size
cross join report_scope scope
cross join (values (30), (90), (180), (365)) span (days)
cross join lateral (
    select
        size.month + interval '1 month' + make_interval(days => span.days)
            <= scope.through_date::timestamp + interval '1 day' as is_so
) matured
left join ltv_monthly sums
    on sums.cohort_day = size.month
    and sums.app_id = size.app_id
    and sums.store = size.store
    and sums.currency = size.currency
    and sums.days = span.days
cross join lateral (
    select marts.unless_all_left_out(coalesce(sums.reporting_micros, 0), coalesce(sums.micros, 0)) as micros
) converted;
