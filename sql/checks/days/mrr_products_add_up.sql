-- Proves that the products of the MRR bridge add up to the whole: on the last day, to the value of all paid periods in
-- force that have a known price, within the rounding of each product's figure; and that no lineage is in two places.
-- Grain: one row per app and currency that differs; at most 20, row_count says how many.
with in_force as (
    select
        period.app_id, period.currency, marts.half_even(sum(period.mrr_nanos), 1000) as total,
        count(*) as periods, count(distinct period.lineage_key) as lineages
    from paid_periods period
    join report_scope scope on period.start_day <= scope.through_date and period.end_day > scope.through_date
    where period.mrr_nanos is not null
    group by period.app_id, period.currency
),

reported as (
    select bridge.app_id, bridge.currency, sum(bridge.closing) as total, count(*) as products
    from mrr_bridge bridge
    join report_scope scope on bridge.date = scope.through_date
    group by bridge.app_id, bridge.currency
),

compared as (
    select
        concat_ws(
            ' ', coalesce(in_force.app_id, reported.app_id), coalesce(in_force.currency, reported.currency)
        ) as subject,
        coalesce(in_force.total, 0) as expected, coalesce(reported.total, 0) as found,
        coalesce(in_force.periods, 0) as periods, coalesce(in_force.lineages, 0) as lineages,
        coalesce(reported.products, 0) as products
    from in_force
    full join reported on reported.app_id = in_force.app_id and reported.currency = in_force.currency
)

select
    subject,
    expected || ' of ' || lineages || ' lineages' as expected,
    found || ' of ' || periods || ' periods' as found,
    count(*) over () as row_count
from compared
where abs(expected - found) > 0.000001 * (products + 1) or periods <> lineages
order by subject
limit 20
