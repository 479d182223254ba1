-- rests on: metrics, mrr_daily, outcomes_daily, revenue_daily, subscribers_daily, marts.half_even, marts.nearest,
-- rests on: marts.ratio
-- Company: what is said of all apps, stores, products and currencies together, by month, in the reporting currency.
-- Grain: one row per calendar month, from the first one with anything on, and figure; every month has every figure. The last month runs
-- to the last day reported: what it says is so far. value = numerator ÷ denominator where the figure divides, NULL where the
-- denominator is 0 or nothing has a rate.
--
-- MRR, its bases and what the bases leave out are the sums of the metrics report's rows. What was lost and won of the MRR that a month opened with is reckoned
-- lineage by lineage (intermediate/09_monthly_outcomes): a move between products or currencies is one change, no more is lost than was
-- opened with, and who opened without a rate is left out. The quick ratio's parts are sums of the bridge's days with such moves
-- as one change, too. ARPU and ARPPU divide exactly and round once, half to even.
create view company (month, figure, value, numerator, denominator, reporting_currency, unconverted, month_start) as
with levels as (
    select
        month_start as month, sum(opening_mrr_reporting) as opening, sum(closing_mrr_reporting) as closing,
        sum(closing_mrr_net_of_tax_reporting) as net_of_tax, sum(closing_mrr_proceeds_reporting) as proceeds,
        sum(net_of_tax_missing_reporting) as unknown_tax, sum(proceeds_missing_reporting) as unknown_proceeds
    from metrics
    group by month_start
),

-- Active lineages at the close of each day, added up over the days of the month.
stood as (
    select
        month, (month + interval '1 month' - interval '1 day')::date as month_end,
        sum(lineages) as came, sum(lineages * (day - month)) as days_missing, sum(unconverted) as unconverted
    from (
        select date_trunc('month', day::timestamp)::date as month, day, lineages, unconverted
        from subscribers_daily
        join report_scope scope on day <= scope.through_date
        where status = 'active'
    ) step
    group by month
),

bridged as (
    select
        date_trunc('month', day::timestamp)::date as month,
        coalesce(sum(reporting_nanos) filter (where bucket in ('new', 'expansion', 'reactivation', 'recovery')), 0) as inflow,
        -coalesce(sum(reporting_nanos) filter (where bucket like 'churn%' or bucket = 'contraction'), 0) as outflow
    from mrr_daily
    join report_scope scope on day <= scope.through_date
    group by 1
),

outcomes as (
    select
        date_trunc('month', day::timestamp)::date as month,
        coalesce(sum(reporting_nanos) filter (where figure = 'company_lost'), 0) as lost,
        coalesce(sum(reporting_nanos) filter (where figure = 'company_gained'), 0) as gained,
        coalesce(sum(reporting_nanos) filter (where figure = 'company_reactivated'), 0) as reactivated,
        coalesce(sum(reporting_nanos) filter (where figure = 'moved_up'), 0) as moved_up,
        coalesce(sum(reporting_nanos) filter (where figure = 'moved_down'), 0) as moved_down,
        coalesce(sum(number) filter (where figure = 'payer'), 0) as payers
    from outcomes_daily
    join report_scope scope on day <= scope.through_date
    group by 1
),

billed as (
    select
        date_trunc('month', day::timestamp)::date as month, sum(reporting_micros) filter (where unconverted = 0) as net,
        sum(unconverted)::bigint as unconverted
    from revenue_daily
    join report_scope scope on day <= scope.through_date
    where product_type = 'auto_renewable'
    group by 1
),

spine as (
    select months.month::date as month, least((months.month + interval '1 month' - interval '1 day')::date, scope.through_date) as last_day
    from (
        select min(month) as month
        from (
            select month from stood union all select month from bridged union all select month from billed
        ) known
    ) first
    cross join report_scope scope
    cross join lateral generate_series(
        first.month::timestamp, date_trunc('month', scope.through_date::timestamp), interval '1 month'
    ) months (month)
    where isfinite(scope.through_date)
),

monthly as (
    select
        spine.month, last_day - spine.month + 1 as days,
        case when levels.month is null then 0.000000 else levels.opening end as opening,
        case when levels.month is null then 0.000000 else levels.closing end as closing,
        case when levels.month is null then 0.000000 else levels.net_of_tax end as net_of_tax,
        case when levels.month is null then 0.000000 else levels.proceeds end as proceeds,
        coalesce(levels.unknown_tax, 0.000000) as unknown_tax, coalesce(levels.unknown_proceeds, 0.000000) as unknown_proceeds,
        coalesce(sum(stood.unconverted) over earlier, 0)::bigint as opening_unconverted,
        (coalesce(sum(stood.unconverted) over earlier, 0) + coalesce(stood.unconverted, 0))::bigint as closing_unconverted,
        (coalesce(sum(stood.came) over earlier, 0) + coalesce(stood.came, 0)) * (last_day - spine.month + 1)
            - coalesce(stood.days_missing, 0) as active_days,
        marts.half_even(coalesce(outcomes.lost, 0), 1000) as lost,
        marts.half_even(coalesce(outcomes.gained, 0), 1000) as gained,
        marts.half_even(coalesce(outcomes.reactivated, 0), 1000) as reactivated,
        marts.half_even(coalesce(bridged.inflow, 0) + coalesce(outcomes.moved_up, 0), 1000) as inflow,
        marts.half_even(coalesce(bridged.outflow, 0) + coalesce(outcomes.moved_down, 0), 1000) as outflow,
        coalesce(outcomes.payers, 0) as payers,
        case when billed.month is null then 0 else billed.net end as net,
        coalesce(billed.unconverted, 0) as billed_unconverted
    from spine
    left join levels using (month)
    left join stood using (month)
    left join bridged using (month)
    left join outcomes using (month)
    left join billed using (month)
    window earlier as (order by spine.month rows between unbounded preceding and 1 preceding)
)

select
    to_char(month, 'YYYY-MM'), figure.name, figure.value, figure.numerator, figure.denominator, scope.reporting_currency,
    figure.unconverted, month
from monthly
cross join report_scope scope
cross join lateral (
    values
        ('mrr', closing, null, null, closing_unconverted),
        ('mrr_net_of_tax', net_of_tax, null, null, closing_unconverted),
        ('mrr_proceeds', proceeds, null, null, closing_unconverted),
        ('mrr_net_of_tax_missing', marts.ratio(unknown_tax, closing), unknown_tax, closing, closing_unconverted),
        ('mrr_proceeds_missing', marts.ratio(unknown_proceeds, closing), unknown_proceeds, closing, closing_unconverted),
        ('arr', 12 * closing, null, null, closing_unconverted),
        ('growth', marts.ratio(closing - opening, opening), closing - opening, opening, closing_unconverted),
        ('gross_mrr_churn', marts.ratio(lost, opening), lost, opening, opening_unconverted),
        (
            'net_mrr_churn', marts.ratio(lost - gained - reactivated, opening), lost - gained - reactivated, opening,
            opening_unconverted
        ),
        ('grr', marts.ratio(opening - lost, opening), opening - lost, opening, opening_unconverted),
        ('nrr', marts.ratio(opening - lost + gained, opening), opening - lost + gained, opening, opening_unconverted),
        (
            'nrr_with_reactivation', marts.ratio(opening - lost + gained + reactivated, opening),
            opening - lost + gained + reactivated, opening, opening_unconverted
        ),
        ('quick_ratio', marts.ratio(inflow, outflow), inflow, outflow, closing_unconverted),
        (
            'arpu', case when active_days > 0 then marts.half_even(net * days, active_days) end, marts.half_even(net, 1),
            marts.half_even(active_days * 1000000, days), billed_unconverted
        ),
        (
            'arppu', case when payers > 0 then marts.half_even(net, payers) end, marts.half_even(net, 1),
            payers * 1.000000, billed_unconverted
        )
) figure (name, value, numerator, denominator, unconverted)
where month >= date_trunc('month', scope.from_date::timestamp);
