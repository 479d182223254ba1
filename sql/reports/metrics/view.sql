-- Metrics by month: the rates that follow from the subscribers and the MRR bridge.
-- Grain: one row per calendar month, app, store, product and currency with any figure; the currency is empty where the
-- price is unknown. The last month runs to the last day reported.
--
-- Rates follow the opening set: the lineages active when the month began, under the product and currency they had then.
-- A lineage cannot lose more than it opened with, and its recovery counts by what it exceeds the lapse before it. What came
-- from elsewhere (new, back after an earlier month's end) is in the quick ratio, whose parts are sums of the bridge's days,
-- and in no rate. What a month closes with net of tax and as proceeds is told by the store, else estimated while reporting
-- by tax table and commission rules of the day of the purchase (in UTC). All sums are exact and rounded once, half to even.
drop view if exists report.metrics;
drop function if exists report.metrics_as_of(bigint, date, date, text);
create function report.metrics_as_of(seal bigint, from_date date, through_date date, time_zone text) returns table (
    month text, app_id text, store text, product_id text, currency text, opening bigint, churned bigint,
    churn_rate numeric, opening_mrr numeric, lost_mrr numeric, gross_mrr_churn numeric, net_mrr_churn numeric,
    grr numeric, nrr numeric, nrr_with_reactivation numeric, quick_ratio numeric, closing_mrr numeric,
    closing_mrr_net_of_tax numeric, closing_mrr_proceeds numeric, arr numeric, due bigint, renewed bigint,
    plan_changes bigint, renewal_rate numeric, active bigint, set_to_cancel bigint,
    net_of_tax_estimated_share numeric, proceeds_estimated_share numeric
)
language sql stable
set enable_nestloop = off
set jit = off
as $$
    with bridge as materialized (
        select * from report.mrr_bridge_sums_at(metrics_as_of.seal, metrics_as_of.time_zone)
    ),

    stood as materialized (
        select * from report.subscribers_sums_at(metrics_as_of.seal, metrics_as_of.time_zone)
    ),

    sums as materialized (
        select * from report.metrics_sums_at(metrics_as_of.seal, metrics_as_of.time_zone)
    ),

    common as materialized (
        select report.least_common_multiple(lengths.denominator) as scale
        from (
            select denominator from bridge
            union
            select denominator from stood
            union
            select denominator from sums
        ) lengths
    ),

    -- number: of changes, of those who came less those who left, of periods, of lineages; by figure.
    figures as (
        select
            day, app_id, store, product_id, currency,
            case
                when bucket in ('new', 'expansion', 'reactivation', 'recovery') then 'inflow'
                when bucket like 'churn%' or bucket = 'contraction' then 'outflow'
                else 'other'
            end as figure,
            changes as number, units, denominator
        from bridge
        union all
        select day, app_id, store, product_id, currency, standing, lineages, units, denominator
        from stood
        where standing in ('active', 'set_to_cancel') and isfinite(metrics_as_of.through_date)
        union all
        select day, app_id, store, product_id, currency, figure, number, units, denominator
        from sums
        where figure <> 'in_force' and (figure in ('due', 'renewed', 'plan_change') or isfinite(metrics_as_of.through_date))
    ),

    monthly as materialized (
        select
            date_trunc('month', day::timestamp)::date as month, app_id, store, product_id, currency,
            sum(number) filter (where figure in ('inflow', 'outflow', 'other')) as changes,
            sum(exact) filter (where figure = 'inflow') as inflow,
            -sum(exact) filter (where figure = 'outflow') as outflow,
            sum(number) filter (where figure = 'active') as active,
            sum(exact) filter (where figure = 'active') as active_units,
            sum(number) filter (where figure = 'set_to_cancel') as set_to_cancel,
            sum(number) filter (where figure = 'due') as due,
            sum(number) filter (where figure = 'renewed') as renewed,
            sum(number) filter (where figure = 'plan_change') as plan_changes,
            sum(number) filter (where figure = 'churned') as churned,
            sum(exact) filter (where figure = 'lost') as lost,
            sum(exact) filter (where figure = 'gained') as gained,
            sum(exact) filter (where figure = 'reactivated') as reactivated
        from figures
        cross join common
        cross join lateral (select figures.units * div(common.scale, figures.denominator) as exact) part
        where day <= metrics_as_of.through_date
        group by 1, 2, 3, 4, 5
    ),

    -- From its first month on every line has all months, since who is active stays so.
    spine as (
        select app_id, store, product_id, currency, month::date as month
        from (
            select app_id, store, product_id, currency, min(month) as first_month, max(month) as last_month
            from monthly
            group by app_id, store, product_id, currency
        ) line
        cross join lateral generate_series(
            first_month::timestamp,
            case
                when isfinite(metrics_as_of.through_date) then date_trunc('month', metrics_as_of.through_date::timestamp)
                else last_month
            end,
            interval '1 month'
        ) month
    ),

    standing as (
        select
            month, app_id, store, product_id, currency, coalesce(changes, 0) as changes, coalesce(inflow, 0) as inflow,
            coalesce(outflow, 0) as outflow, coalesce(due, 0)::bigint as due, coalesce(renewed, 0)::bigint as renewed,
            coalesce(plan_changes, 0)::bigint as plan_changes, coalesce(churned, 0)::bigint as churned,
            coalesce(lost, 0) as lost, coalesce(gained, 0) as gained, coalesce(reactivated, 0) as reactivated,
            (sum(coalesce(active, 0)) over line)::bigint as active,
            (sum(coalesce(active, 0)) over line - coalesce(active, 0))::bigint as opening,
            (sum(coalesce(set_to_cancel, 0)) over line)::bigint as set_to_cancel,
            sum(coalesce(active_units, 0)) over line as closing_units,
            sum(coalesce(active_units, 0)) over line - coalesce(active_units, 0) as opening_units
        from spine
        left join monthly using (app_id, store, product_id, currency, month)
        window line as (partition by app_id, store, product_id, currency order by month)
    ),

    in_force as materialized (
        select * from sums where figure = 'in_force' and day <= metrics_as_of.through_date
    ),

    -- Tax and commission of the day of the purchase, where the store did not tell them.
    taxed as materialized (
        select place.*, report.tax_divisor_as_of(metrics_as_of.seal, place.country, place.purchase_day) as tax_divisor
        from (select distinct country, purchase_day from in_force where country <> '' and not is_tax_told) place
    ),

    ruled as materialized (
        select
            sale.*,
            1 - report.commission_as_of(
                metrics_as_of.seal, sale.store, sale.app_id, nullif(sale.country, ''), 'auto_renewable',
                sale.purchase_day, sale.has_paid_a_year) as kept_share
        from (
            select distinct store, app_id, country, purchase_day, has_paid_a_year
            from in_force
            where not are_proceeds_told
        ) sale
    ),

    -- What came into force in a month, less what went, by what its tax and commission are.
    alike as materialized (
        select
            date_trunc('month', day::timestamp)::date as month, app_id, store, product_id, currency, is_tax_told,
            are_proceeds_told, tax_divisor, kept_share, sum(number) as number,
            sum(units * div(common.scale, denominator)) as units,
            sum(net_units * div(common.scale, denominator)) as net_units,
            sum(proceeds_units * div(common.scale, denominator)) as proceeds_units
        from in_force
        cross join common
        left join taxed using (country, purchase_day)
        left join ruled using (store, app_id, country, purchase_day, has_paid_a_year)
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    ),

    closing as (
        select
            month, app_id, store, product_id, currency, is_tax_told, are_proceeds_told, tax_divisor, kept_share,
            sum(sum(number)) over line as number, sum(sum(units)) over line as units,
            sum(sum(net_units)) over line as net_units, sum(sum(proceeds_units)) over line as proceeds_units
        from (
            select * from alike
            union all
            select
                month::date, app_id, store, product_id, currency, is_tax_told, are_proceeds_told, tax_divisor, kept_share,
                0, 0, 0, 0
            from (
                select
                    app_id, store, product_id, currency, is_tax_told, are_proceeds_told, tax_divisor, kept_share,
                    min(month) as first_month
                from alike
                where isfinite(metrics_as_of.through_date)
                group by 1, 2, 3, 4, 5, 6, 7, 8
            ) line
            cross join lateral generate_series(
                first_month::timestamp, date_trunc('month', metrics_as_of.through_date::timestamp), interval '1 month'
            ) month
        ) filled
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9
        window line as (
            partition by
                app_id, store, product_id, currency, is_tax_told, are_proceeds_told, tax_divisor, kept_share
            order by month
        )
    ),

    -- What neither the store nor a rule tells is NULL, and adds nothing.
    bases as (
        select
            month, app_id, store, product_id, currency,
            report.nearest_whole(report.sum_of_fractions(
                case when is_tax_told then net_units when tax_divisor > 0 then units end,
                case when is_tax_told then 1 else tax_divisor end * common.scale
            )) as net_micros,
            report.nearest_whole(report.sum_of_fractions(
                case
                    when are_proceeds_told then proceeds_units
                    when is_tax_told then net_units * kept_share
                    when tax_divisor > 0 then units * kept_share
                end,
                case when are_proceeds_told or is_tax_told then 1 else tax_divisor end * common.scale
            )) as proceeds_micros,
            coalesce(sum(units) filter (where not is_tax_told), 0) as untaxed_units,
            coalesce(sum(units) filter (where not are_proceeds_told), 0) as untold_units
        from closing
        cross join common
        where number > 0 and isfinite(metrics_as_of.through_date)
        group by month, app_id, store, product_id, currency
    )

    select
        to_char(month, 'YYYY-MM'), app_id, store, product_id, nullif(currency, ''), opening, churned,
        report.share(churned, opening),
        report.half_even(opening_units, scale),
        report.half_even(lost, scale),
        report.ratio(lost, opening_units),
        report.ratio(lost - gained - reactivated, opening_units),
        report.ratio(opening_units - lost, opening_units),
        report.ratio(opening_units - lost + gained, opening_units),
        report.ratio(opening_units - lost + gained + reactivated, opening_units),
        report.ratio(inflow, outflow),
        report.half_even(closing_units, scale),
        net_micros * 0.000001,
        proceeds_micros * 0.000001,
        report.half_even(closing_units * 12, scale),
        due, renewed, plan_changes, report.share(renewed, due), active, set_to_cancel,
        report.ratio(coalesce(untaxed_units, 0), closing_units), report.ratio(coalesce(untold_units, 0), closing_units)
    from standing
    cross join common
    left join bases using (month, app_id, store, product_id, currency)
    where month >= date_trunc('month', metrics_as_of.from_date::timestamp)
        and (changes > 0 or opening > 0 or active > 0 or due > 0 or plan_changes > 0)
$$;

create view report.metrics as
select report.*
from subledger.newest_seal() newest
cross join lateral report.metrics_as_of(newest.seal, '-infinity', newest.business_date, 'UTC') report;

comment on function report.metrics_as_of is 'Rates by month, of the lineages and the MRR that the month opened with';
comment on view report.metrics is 'Metrics by month, as of the newest seal, in UTC';
comment on column report.metrics.month is 'Calendar month, yyyy-mm; the last one to the last day reported';
comment on column report.metrics.app_id is 'The owner''s own name of the app';
comment on column report.metrics.store is 'app_store or google_play';
comment on column report.metrics.product_id is 'Product of the paid period; for rates, the one the month opened with';
comment on column report.metrics.currency is 'ISO 4217 code of the amounts; empty where the price is unknown';
comment on column report.metrics.opening is 'Active lineages when the month began';
comment on column report.metrics.churned is 'Of them, those that churned within the month, each once';
comment on column report.metrics.churn_rate is 'Subscriber churn rate: churned ÷ opening, 0 to 1';
comment on column report.metrics.opening_mrr is 'MRR of the opening lineages';
comment on column report.metrics.lost_mrr is 'Churn and contraction of the opening lineages within the month, no more than each opened with';
comment on column report.metrics.gross_mrr_churn is 'lost_mrr ÷ opening_mrr, 0 to 1';
comment on column report.metrics.net_mrr_churn is '(lost_mrr − expansion − recovery − reactivation of the opening lineages) ÷ opening_mrr';
comment on column report.metrics.grr is 'Gross revenue retention: 1 − gross_mrr_churn';
comment on column report.metrics.nrr is 'Net revenue retention without reactivation: (opening_mrr − lost_mrr + expansion + recovery of the opening lineages) ÷ opening_mrr';
comment on column report.metrics.nrr_with_reactivation is 'The same with reactivation: 1 − net_mrr_churn';
comment on column report.metrics.quick_ratio is '(new + expansion + reactivation + recovery) ÷ (contraction + churn), of the bridge''s days; empty where nothing was lost';
comment on column report.metrics.closing_mrr is 'MRR at the end of the month';
comment on column report.metrics.closing_mrr_net_of_tax is 'The same net of tax: the store''s tax, else estimated by the tax table; what neither tells is left out; empty where nothing is known';
comment on column report.metrics.closing_mrr_proceeds is 'The same as proceeds: the store''s, else estimated by tax table and commission rules; what neither tells is left out; empty where nothing is known';
comment on column report.metrics.arr is 'ARR: 12 × closing_mrr';
comment on column report.metrics.due is 'Paid periods that ran to their own end within the month, refunds and plan changes apart';
comment on column report.metrics.renewed is 'Of them, those the same product followed without a gap, grace included';
comment on column report.metrics.plan_changes is 'Periods that another product followed instead';
comment on column report.metrics.renewal_rate is 'renewed ÷ due, 0 to 1';
comment on column report.metrics.active is 'Active lineages at the end of the month';
comment on column report.metrics.set_to_cancel is 'Of them, those whose auto-renewal was off, as far as was known then';
comment on column report.metrics.net_of_tax_estimated_share is 'Part of closing_mrr whose tax is estimated or missing, 0 to 1';
comment on column report.metrics.proceeds_estimated_share is 'Part of closing_mrr whose proceeds are estimated or missing, 0 to 1';
