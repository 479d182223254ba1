-- rests on: revenue_daily, marts.add_fraction, marts.commission_as_of, marts.half_even, marts.nearest,
-- rests on: marts.nearest_whole, marts.ruled_since, marts.share, marts.sum_of_fractions, marts.tax_divisor_as_of,
-- rests on: subledger.commission_rules, subledger.commission_rules_as_of, subledger.runs, subledger.tax_rates,
-- rests on: subledger.tax_rates_as_of
-- Revenue: the money ledger by day. Charges and their corrections are dated by the purchase instant, refunds and their
-- reversals at the refund instant, so that a late refund moves its own day and no other.
-- Grain: one row per day, app, store, product, country, currency and product type with any movement.
--
-- refunds counts refund entries; a refund that was wholly taken back counts no longer, from the reversal's day on.
-- Tax and proceeds are what the store reported; what it did not is estimated by tax table and commission rules:
-- estimated_share is the part of the money moved whose proceeds are estimated, unsettled_share the part of it by a published rate
-- that is not settled, missing_share the part for which no rule is known either. All sums are exact and rounded once, half to even.
create view revenue (date, app_id, store, product_id, country, currency, charges, refunds, gross, refunded, net, tax, proceeds, estimated_share, gross_reporting, refunded_reporting, net_reporting, proceeds_reporting, reporting_currency, unconverted, product_type, reporting_rates, listed_share, missing_share, unsettled_share) as
with alike as materialized (
    select summed.*
    from revenue_daily summed
    join report_scope scope on summed.day >= scope.from_date and summed.day <= scope.through_date
),

-- Rules and tax are those of the purchase's day (in UTC), also for its refund.
rule_days as materialized (
    select bought.purchase_day, marts.ruled_since(bought.purchase_day) as ruled_since
    from (select distinct purchase_day from alike) bought
),

taxed as materialized (
    select
        place.*, marts.tax_divisor_as_of(scope.seal, place.country, place.ruled_since) as tax_divisor
    from (
        select distinct country, ruled_since
        from alike
        join rule_days using (purchase_day)
        where country <> '' and (are_proceeds_unreported or is_tax_unreported)
    ) place
    cross join report_scope scope
),

-- tax_divisor: price ÷ divisor is net of tax; developer_share: the developer's part of what is net of tax, looked for where a part
-- is estimated; both NULL where no rule is known.
ruled as materialized (
    select sale.*, taxed.tax_divisor, 1 - commission.rate as developer_share, commission.is_unsettled
    from (
        select store, app_id, country, product_type, ruled_since, has_paid_a_year, bool_or(are_proceeds_unreported) as is_estimated
        from alike
        join rule_days using (purchase_day)
        group by store, app_id, country, product_type, ruled_since, has_paid_a_year
    ) sale
    cross join report_scope scope
    left join taxed on taxed.country = sale.country and taxed.ruled_since = sale.ruled_since
    left join lateral (
        select known.rate, known.is_unsettled
        from marts.commission_as_of(
            scope.seal, sale.store, sale.app_id, nullif(sale.country, ''), sale.product_type, sale.ruled_since, sale.has_paid_a_year
        ) known
        where sale.is_estimated
        -- As a condition of the join it would be asked after the rules were read.
        offset 0
    ) commission on true
),

-- One join by the whole key: beside another by a part of it the planner takes that one's order, and with thousands of apps
-- compares each row with those of all.
priced as (
    select
        alike.*, ruled.tax_divisor, ruled.developer_share, alike.are_proceeds_unreported and ruled.is_unsettled as is_unsettled
    from alike
    join rule_days on rule_days.purchase_day = alike.purchase_day
    left join ruled
        on ruled.store = alike.store
        and ruled.app_id = alike.app_id
        and ruled.country = alike.country
        and ruled.product_type = alike.product_type
        and ruled.ruled_since = rule_days.ruled_since
        and ruled.has_paid_a_year = alike.has_paid_a_year
),

valued as (
    select
        priced.*,
        case when is_tax_unreported then micros * (tax_divisor - 1) else tax_micros end as tax_numerator,
        case when is_tax_unreported then tax_divisor else 1 end as tax_denominator,
        case
            when not are_proceeds_unreported then proceeds_micros
            when is_tax_unreported then micros * developer_share
            else (micros - tax_micros) * developer_share
        end as proceeds_numerator,
        case
            when unconverted > 0 then null
            when not are_proceeds_unreported then proceeds_reporting_micros
            when is_tax_unreported then reporting_micros * developer_share
            else (reporting_micros - tax_reporting_micros) * developer_share
        end as proceeds_reporting_numerator,
        case when are_proceeds_unreported and is_tax_unreported then tax_divisor else 1 end as proceeds_denominator
    from priced
),

summed as (
    select
        day, app_id, store, product_id, nullif(country, '') as country, currency, product_type,
        sum(charges)::bigint as charges,
        sum(refunds)::bigint as refunds,
        coalesce(sum(micros) filter (where not is_refund), 0) as gross_micros,
        -coalesce(sum(micros) filter (where is_refund), 0) as refunded_micros,
        case when bool_and(tax_numerator is not null and tax_denominator is not null)
            then marts.nearest_whole(marts.sum_of_fractions(tax_numerator, tax_denominator)) end as tax_micros,
        marts.nearest_whole(marts.sum_of_fractions(proceeds_numerator, proceeds_denominator)) as proceeds_micros,
        sum(moved_micros)::bigint as moved_micros,
        sum(listed_micros)::bigint as listed_micros,
        coalesce(sum(moved_micros) filter (
            where are_proceeds_unreported and proceeds_numerator is not null and proceeds_denominator is not null
        ), 0)::bigint as estimated_micros,
        coalesce(sum(moved_micros) filter (
            where are_proceeds_unreported and (proceeds_numerator is null or proceeds_denominator is null)
        ), 0)::bigint as missing_micros,
        coalesce(sum(moved_micros) filter (
            where is_unsettled and proceeds_numerator is not null and proceeds_denominator is not null
        ), 0)::bigint as unsettled_micros,
        sum(unconverted)::bigint as unconverted,
        sum(case when is_refund then 0 else reporting_micros end) filter (where unconverted = 0) as gross_reporting,
        sum(case when is_refund then -reporting_micros else 0 end) filter (where unconverted = 0) as refunded_reporting,
        sum(reporting_micros) filter (where unconverted = 0) as net_reporting,
        marts.nearest_whole(
            marts.sum_of_fractions(proceeds_reporting_numerator, proceeds_denominator)
        ) as proceeds_reporting,
        string_agg(distinct nullif(rate_source, ''), '+' order by nullif(rate_source, ''))
            || ' ' || min(rate_date) filter (where rate_source <> '')
            || case
                when min(rate_date) filter (where rate_source <> '') < max(rate_date) then '..' || max(rate_date)
                else ''
            end
            || case when bool_or(is_rate_flagged) then ' flagged' else '' end as reporting_rates
    from valued
    group by day, app_id, store, product_id, country, currency, product_type
)

select
    day, app_id, store, product_id, country, summed.currency, charges, refunds,
    gross_micros * 0.000001,
    refunded_micros * 0.000001,
    (gross_micros - refunded_micros) * 0.000001,
    tax_micros * 0.000001,
    proceeds_micros * 0.000001,
    marts.share(estimated_micros, moved_micros),
    marts.half_even(gross_reporting, 1),
    marts.half_even(refunded_reporting, 1),
    marts.half_even(net_reporting, 1),
    proceeds_reporting * 0.000001,
    scope.reporting_currency,
    unconverted,
    product_type,
    reporting_rates,
    marts.share(listed_micros, moved_micros),
    marts.share(missing_micros, moved_micros),
    marts.share(unsettled_micros, moved_micros)
from summed
cross join report_scope scope;
