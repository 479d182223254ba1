-- rests on: countries_daily, revenue_daily, marts.half_even, marts.nearest, marts.unless_all_left_out
-- Countries by month: who stayed, tried, came and left there, and the money.
-- Grain: one row per calendar month, app, store, product, country (empty where unknown) and currency with any figure. Trials have no
-- price: they have an empty currency, by the month they started in. The last month runs to the last day reported.
create view countries (
    month, app_id, store, product_id, country, currency, active, trials_started, trials_converted, new, churned, closing_mrr,
    gross, refunded, net, closing_mrr_reporting, gross_reporting, refunded_reporting, net_reporting, reporting_currency,
    unconverted, month_start
) as
with moved as (
    select
        date_trunc('month', day::timestamp)::date as month, app_id, store, product_id, country, currency,
        sum(number) filter (where figure = 'active') as active,
        sum(number) filter (where figure = 'trials_started') as trials_started,
        sum(number) filter (where figure = 'trials_converted') as trials_converted,
        sum(number) filter (where figure = 'new') as new,
        sum(number) filter (where figure = 'churned') as churned,
        sum(nanos) as nanos, sum(reporting_nanos) as reporting_nanos, sum(unconverted) as periods_unconverted,
        0::numeric as gross, 0::numeric as refunded, 0::numeric as gross_reporting, 0::numeric as refunded_reporting,
        0::numeric as movements_unconverted
    from countries_daily
    join report_scope scope on day <= scope.through_date
    group by 1, 2, 3, 4, 5, 6
    union all
    select
        date_trunc('month', day::timestamp)::date, app_id, store, product_id, country, currency, 0, 0, 0, 0, 0, 0, 0, 0,
        sum(case when is_refund then 0 else micros end), sum(case when is_refund then -micros else 0 end),
        sum(case when is_refund then 0 else reporting_micros end), sum(case when is_refund then -reporting_micros else 0 end),
        sum(unconverted)
    from revenue_daily
    join report_scope scope on day <= scope.through_date
    group by 1, 2, 3, 4, 5, 6
    union all
    -- From its first month on every line has all months, since who is active stays so.
    select
        months.month::date, app_id, store, product_id, country, currency, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    from (
        select
            app_id, store, product_id, country, currency, date_trunc('month', min(day)::timestamp) as first_month
        from countries_daily
        where figure = 'active'
        group by app_id, store, product_id, country, currency
    ) line
    cross join report_scope scope
    cross join lateral generate_series(
        first_month, date_trunc('month', scope.through_date::timestamp), interval '1 month'
    ) months (month)
    where isfinite(scope.through_date)
),

monthly as (
    select
        month, app_id, store, product_id, country, currency,
        (sum(coalesce(sum(active), 0)) over line)::bigint as active,
        coalesce(sum(trials_started), 0)::bigint as trials_started,
        coalesce(sum(trials_converted), 0)::bigint as trials_converted,
        coalesce(sum(new), 0)::bigint as new, coalesce(sum(churned), 0)::bigint as churned,
        sum(sum(nanos)) over line as nanos, sum(sum(reporting_nanos)) over line as reporting_nanos,
        sum(gross) as gross, sum(refunded) as refunded, sum(gross_reporting) as gross_reporting,
        sum(refunded_reporting) as refunded_reporting,
        (sum(sum(periods_unconverted)) over line + sum(movements_unconverted))::bigint as unconverted
    from moved
    group by month, app_id, store, product_id, country, currency
    window line as (partition by app_id, store, product_id, country, currency order by month)
)

select
    to_char(month, 'YYYY-MM'), app_id, store, product_id, nullif(country, ''), nullif(monthly.currency, ''), active,
    trials_started, trials_converted, new, churned,
    marts.half_even(nanos, 1000),
    gross * 0.000001, refunded * 0.000001, (gross - refunded) * 0.000001,
    marts.half_even(marts.unless_all_left_out(reporting_nanos, nanos), 1000),
    marts.half_even(marts.unless_all_left_out(gross_reporting, gross), 1),
    marts.half_even(marts.unless_all_left_out(refunded_reporting, refunded), 1),
    marts.half_even(
        marts.unless_all_left_out(gross_reporting, gross) - marts.unless_all_left_out(refunded_reporting, refunded), 1),
    scope.reporting_currency,
    unconverted,
    month
from monthly
cross join report_scope scope
where month >= date_trunc('month', scope.from_date::timestamp)
    and (active, trials_started, trials_converted, new, churned, gross, refunded) <> (0, 0, 0, 0, 0, 0, 0);
