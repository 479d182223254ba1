-- rests on: mrr_daily, mrr_in_force_daily, outcomes_daily, subscribers_daily, marts.add_fraction, marts.commission_as_of,
-- rests on: marts.half_even, marts.nearest, marts.nearest_whole, marts.ratio, marts.ruled_since, marts.share,
-- rests on: marts.sum_of_fractions, marts.tax_divisor_as_of, marts.unless_all_left_out, subledger.commission_rules,
-- rests on: subledger.commission_rules_as_of, subledger.runs, subledger.tax_rates, subledger.tax_rates_as_of
-- Metrics by month: the rates that follow from the subscribers and the MRR bridge.
-- Grain: one row per calendar month, app, store, product and currency with any figure; the currency is empty where the
-- price is unknown. The last month runs to the last day reported.
--
-- Rates follow the opening set: the lineages active when the month began, under the product and currency they had then.
-- A lineage cannot lose more than it opened with, and its recovery counts by what it exceeds the lapse before it. What came
-- from elsewhere (new, back after an earlier month's end) is in the quick ratio, whose parts are sums of the bridge's days,
-- and in no rate. What a month closes with net of tax and as proceeds is the store's, else estimated for the report by tax
-- table and commission rules of the day of the purchase (in UTC). All sums are exact and rounded once, half to even.
create view metrics (
    month, app_id, store, product_id, currency, opening, churned_of_opening, churn_rate, opening_mrr, lost_mrr, gross_mrr_churn,
    net_mrr_churn, grr, nrr, nrr_with_reactivation, quick_ratio, closing_mrr, closing_mrr_net_of_tax, closing_mrr_proceeds,
    arr, due, renewed, plan_changes, renewal_rate, active, set_to_cancel, net_of_tax_estimated_share,
    proceeds_estimated_share, opening_mrr_reporting, lost_mrr_reporting, closing_mrr_reporting,
    closing_mrr_net_of_tax_reporting, closing_mrr_proceeds_reporting, arr_reporting, reporting_currency, unconverted,
    month_start, net_of_tax_missing_share, proceeds_missing_share, net_of_tax_missing, proceeds_missing,
    net_of_tax_missing_reporting, proceeds_missing_reporting
) as
-- number: of changes, of those who came less those who left, of periods, of lineages; by figure.
with figures as (
    select
        day, app_id, store, product_id, currency,
        case
            when bucket in ('new', 'expansion', 'reactivation', 'recovery') then 'inflow'
            when bucket like 'churn%' or bucket = 'contraction' then 'outflow'
            else 'other'
        end as figure,
        changes as number, nanos, 0 as reporting_nanos, 0 as unconverted
    from mrr_daily
    union all
    select day, app_id, store, product_id, subscribers_daily.currency, status, lineages, nanos, reporting_nanos, unconverted
    from subscribers_daily
    cross join report_scope scope
    where status in ('active', 'set_to_cancel') and isfinite(scope.through_date)
    union all
    select day, app_id, store, product_id, outcomes_daily.currency, figure, number, nanos, reporting_nanos, 0
    from outcomes_daily
    cross join report_scope scope
    where figure in ('due', 'renewed', 'plan_change')
        or figure in ('churned', 'lost', 'gained', 'reactivated') and isfinite(scope.through_date)
),

monthly as materialized (
    select
        date_trunc('month', day::timestamp)::date as month, app_id, store, product_id, figures.currency,
        sum(number) filter (where figure in ('inflow', 'outflow', 'other')) as changes,
        sum(nanos) filter (where figure = 'inflow') as inflow,
        -sum(nanos) filter (where figure = 'outflow') as outflow,
        sum(number) filter (where figure = 'active') as active,
        sum(nanos) filter (where figure = 'active') as active_nanos,
        sum(reporting_nanos) filter (where figure = 'active') as active_reporting_nanos,
        sum(unconverted) filter (where figure = 'active') as unconverted,
        sum(number) filter (where figure = 'set_to_cancel') as set_to_cancel,
        sum(number) filter (where figure = 'due') as due,
        sum(number) filter (where figure = 'renewed') as renewed,
        sum(number) filter (where figure = 'plan_change') as plan_changes,
        sum(number) filter (where figure = 'churned') as churned,
        sum(nanos) filter (where figure = 'lost') as lost,
        sum(reporting_nanos) filter (where figure = 'lost') as lost_reporting,
        sum(nanos) filter (where figure = 'gained') as gained,
        sum(nanos) filter (where figure = 'reactivated') as reactivated
    from figures
    join report_scope scope on day <= scope.through_date
    group by 1, 2, 3, 4, 5
),

-- From its first month on every line has all months, since who is active stays so.
spine as (
    select app_id, store, product_id, currency, months.month::date as month
    from (
        select app_id, store, product_id, currency, min(month) as first_month, max(month) as last_month
        from monthly
        group by app_id, store, product_id, currency
    ) line
    cross join report_scope scope
    cross join lateral generate_series(
        first_month::timestamp,
        case
            when isfinite(scope.through_date) then date_trunc('month', scope.through_date::timestamp)
            else last_month
        end,
        interval '1 month'
    ) months (month)
),

balances as (
    select
        month, app_id, store, product_id, currency, coalesce(changes, 0) as changes, coalesce(inflow, 0) as inflow,
        coalesce(outflow, 0) as outflow, coalesce(due, 0)::bigint as due, coalesce(renewed, 0)::bigint as renewed,
        coalesce(plan_changes, 0)::bigint as plan_changes, coalesce(churned, 0)::bigint as churned,
        coalesce(lost, 0) as lost, coalesce(lost_reporting, 0) as lost_reporting, coalesce(gained, 0) as gained, coalesce(reactivated, 0) as reactivated,
        (sum(coalesce(active, 0)) over line)::bigint as active,
        (sum(coalesce(active, 0)) over line - coalesce(active, 0))::bigint as opening,
        (sum(coalesce(set_to_cancel, 0)) over line)::bigint as set_to_cancel,
        sum(coalesce(active_nanos, 0)) over line as closing_nanos,
        sum(coalesce(active_nanos, 0)) over line - coalesce(active_nanos, 0) as opening_nanos,
        sum(coalesce(active_reporting_nanos, 0)) over line as closing_reporting_nanos,
        sum(coalesce(active_reporting_nanos, 0)) over line - coalesce(active_reporting_nanos, 0)
            as opening_reporting_nanos,
        (sum(coalesce(unconverted, 0)) over line)::bigint as unconverted
    from spine
    left join monthly using (app_id, store, product_id, currency, month)
    window line as (partition by app_id, store, product_id, currency order by month)
),

-- Tax and commission of the day of the purchase, where the store did not report them.
rule_days as materialized (
    select bought.purchase_day, marts.ruled_since(bought.purchase_day) as ruled_since
    from (select distinct purchase_day from mrr_in_force_daily) bought
),

-- What came into force in a month, less what went, by what its tax and commission follow from.
in_force as materialized (
    select
        date_trunc('month', day::timestamp)::date as month, app_id, store, product_id, currency, country, ruled_since,
        has_paid_a_year, is_tax_stated, are_proceeds_reported, sum(number) as number, sum(nanos) as nanos,
        sum(net_nanos) as net_nanos, sum(proceeds_nanos) as proceeds_nanos, sum(reporting_nanos) as reporting_nanos,
        sum(net_reporting_nanos) as net_reporting_nanos, sum(proceeds_reporting_nanos) as proceeds_reporting_nanos
    from mrr_in_force_daily
    join report_scope scope on day <= scope.through_date
    join rule_days using (purchase_day)
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
),

taxed as materialized (
    select place.*, marts.tax_divisor_as_of(scope.seal, place.country, place.ruled_since) as tax_divisor
    from (
        select distinct country, ruled_since from in_force where country <> '' and not is_tax_stated
    ) place
    cross join report_scope scope
),

ruled as materialized (
    select sale.*, 1 - commission.rate as developer_share
    from (
        select distinct store, app_id, country, ruled_since, has_paid_a_year
        from in_force
        where not are_proceeds_reported
    ) sale
    cross join report_scope scope
    left join lateral marts.commission_as_of(
        scope.seal, sale.store, sale.app_id, nullif(sale.country, ''), 'auto_renewable', sale.ruled_since, sale.has_paid_a_year
    ) commission on true
),

-- The same by what its tax and commission are.
alike as materialized (
    select
        month, app_id, store, product_id, currency, is_tax_stated, are_proceeds_reported, tax_divisor, developer_share,
        sum(number) as number, sum(nanos) as nanos, sum(net_nanos) as net_nanos, sum(proceeds_nanos) as proceeds_nanos,
        sum(reporting_nanos) as reporting_nanos, sum(net_reporting_nanos) as net_reporting_nanos,
        sum(proceeds_reporting_nanos) as proceeds_reporting_nanos
    from in_force
    left join taxed using (country, ruled_since)
    left join ruled using (store, app_id, country, ruled_since, has_paid_a_year)
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
),

closing as (
    select
        month, app_id, store, product_id, currency, is_tax_stated, are_proceeds_reported, tax_divisor, developer_share,
        sum(sum(number)) over line as number, sum(sum(nanos)) over line as nanos,
        sum(sum(net_nanos)) over line as net_nanos, sum(sum(proceeds_nanos)) over line as proceeds_nanos,
        sum(sum(reporting_nanos)) over line as reporting_nanos,
        sum(sum(net_reporting_nanos)) over line as net_reporting_nanos,
        sum(sum(proceeds_reporting_nanos)) over line as proceeds_reporting_nanos
    from (
        select * from alike
        union all
        select
            months.month::date, app_id, store, product_id, currency, is_tax_stated, are_proceeds_reported, tax_divisor,
            developer_share, 0, 0, 0, 0, 0, 0, 0
        from (
            select
                app_id, store, product_id, currency, is_tax_stated, are_proceeds_reported, tax_divisor, developer_share,
                min(month) as first_month
            from alike
            group by 1, 2, 3, 4, 5, 6, 7, 8
        ) line
        cross join report_scope scope
        cross join lateral generate_series(
            first_month::timestamp, date_trunc('month', scope.through_date::timestamp), interval '1 month'
        ) months (month)
        where isfinite(scope.through_date)
    ) filled
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    window line as (
        partition by
            app_id, store, product_id, currency, is_tax_stated, are_proceeds_reported, tax_divisor, developer_share
        order by month
    )
),

-- What neither the store nor a rule gives is NULL, and adds nothing. A micro has 1,000 nanos.
bases as (
    select
        month, app_id, store, product_id, currency,
        marts.nearest_whole(marts.sum_of_fractions(
            case when is_tax_stated then net_nanos when tax_divisor > 0 then nanos end,
            case when is_tax_stated then 1 else tax_divisor end * 1000
        )) as net_micros,
        marts.nearest_whole(marts.sum_of_fractions(
            case
                when are_proceeds_reported then proceeds_nanos
                when is_tax_stated then net_nanos * developer_share
                when tax_divisor > 0 then nanos * developer_share
            end,
            case when are_proceeds_reported or is_tax_stated then 1 else tax_divisor end * 1000
        )) as proceeds_micros,
        marts.nearest_whole(marts.sum_of_fractions(
            case when is_tax_stated then net_reporting_nanos when tax_divisor > 0 then reporting_nanos end,
            case when is_tax_stated then 1 else tax_divisor end * 1000
        )) as net_reporting_micros,
        marts.nearest_whole(marts.sum_of_fractions(
            case
                when are_proceeds_reported then proceeds_reporting_nanos
                when is_tax_stated then net_reporting_nanos * developer_share
                when tax_divisor > 0 then reporting_nanos * developer_share
            end,
            case when are_proceeds_reported or is_tax_stated then 1 else tax_divisor end * 1000
        )) as proceeds_reporting_micros,
        coalesce(sum(nanos) filter (where not is_tax_stated), 0) as untaxed_nanos,
        coalesce(sum(nanos) filter (where not are_proceeds_reported), 0) as without_proceeds_nanos,
        coalesce(sum(nanos) filter (where not is_tax_stated and (tax_divisor > 0) is not true), 0) as unknown_tax_nanos,
        coalesce(sum(nanos) filter (
            where not are_proceeds_reported and (developer_share is null or not is_tax_stated and (tax_divisor > 0) is not true)
        ), 0) as unknown_proceeds_nanos,
        coalesce(sum(reporting_nanos) filter (where not is_tax_stated and (tax_divisor > 0) is not true), 0)
            as unknown_tax_reporting_nanos,
        coalesce(sum(reporting_nanos) filter (
            where not are_proceeds_reported and (developer_share is null or not is_tax_stated and (tax_divisor > 0) is not true)
        ), 0) as unknown_proceeds_reporting_nanos
    from closing
    cross join report_scope scope
    where number > 0 and isfinite(scope.through_date)
    group by month, app_id, store, product_id, currency
)

select
    to_char(month, 'YYYY-MM'), app_id, store, product_id, nullif(currency, ''), opening, churned,
    marts.share(churned, opening),
    marts.half_even(opening_nanos, 1000),
    marts.half_even(lost, 1000),
    marts.ratio(lost, opening_nanos),
    marts.ratio(lost - gained - reactivated, opening_nanos),
    marts.ratio(opening_nanos - lost, opening_nanos),
    marts.ratio(opening_nanos - lost + gained, opening_nanos),
    marts.ratio(opening_nanos - lost + gained + reactivated, opening_nanos),
    marts.ratio(inflow, outflow),
    marts.half_even(closing_nanos, 1000),
    net_micros * 0.000001,
    proceeds_micros * 0.000001,
    marts.half_even(closing_nanos * 12, 1000),
    due, renewed, plan_changes, marts.share(renewed, due), active, set_to_cancel,
    marts.ratio(coalesce(untaxed_nanos, 0), closing_nanos),
    marts.ratio(coalesce(without_proceeds_nanos, 0), closing_nanos),
    marts.half_even(marts.unless_all_left_out(opening_reporting_nanos, opening_nanos), 1000),
    marts.half_even(marts.unless_all_left_out(lost_reporting, lost), 1000),
    marts.half_even(marts.unless_all_left_out(closing_reporting_nanos, closing_nanos), 1000),
    marts.unless_all_left_out(net_reporting_micros, net_micros) * 0.000001,
    marts.unless_all_left_out(proceeds_reporting_micros, proceeds_micros) * 0.000001,
    marts.half_even(marts.unless_all_left_out(closing_reporting_nanos, closing_nanos) * 12, 1000),
    scope.reporting_currency,
    unconverted,
    month,
    marts.ratio(coalesce(unknown_tax_nanos, 0), closing_nanos),
    marts.ratio(coalesce(unknown_proceeds_nanos, 0), closing_nanos),
    marts.half_even(coalesce(unknown_tax_nanos, 0), 1000),
    marts.half_even(coalesce(unknown_proceeds_nanos, 0), 1000),
    marts.half_even(
        marts.unless_all_left_out(coalesce(unknown_tax_reporting_nanos, 0), coalesce(unknown_tax_nanos, 0)), 1000),
    marts.half_even(
        marts.unless_all_left_out(coalesce(unknown_proceeds_reporting_nanos, 0), coalesce(unknown_proceeds_nanos, 0)), 1000)
from balances
cross join report_scope scope
left join bases using (month, app_id, store, product_id, currency)
where month >= date_trunc('month', scope.from_date::timestamp)
    and (changes > 0 or opening > 0 or active > 0 or due > 0 or plan_changes > 0);
