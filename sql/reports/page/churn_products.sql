-- Churn of a span of days by product, and its rate.
-- Grain: one row per app, store and product of the days in scope.
-- The counts are sums of days. The rate follows the opening: of the lineages active when the span began, under the
-- product they had then, those that churned within it, each once.
with opening as (
    select lineage_key, app_id, store, product_id 
    from paid_periods
    join report_scope scope on start_day < scope.from_date and end_day >= scope.from_date
),

lost as (
    select distinct lineage_key
    from paid_periods
    join report_scope scope on end_day between scope.from_date and scope.through_date
    where is_last
        and outcome in ('voluntary', 'involuntary', 'price', 'product', 'refund', 'other')
),

lines as (
    select
        opening.app_id, opening.store, opening.product_id, count(*) as opening, count(lost.lineage_key) as lost,
        0::bigint as churned, 0::bigint as voluntary, 0::bigint as involuntary, 0::bigint as price,
        0::bigint as product, 0::bigint as refund, 0::bigint as other, 0::bigint as lapsed, 0::bigint as came_and_went
    from opening
    left join lost on lost.lineage_key = opening.lineage_key
    group by opening.app_id, opening.store, opening.product_id
    union all
    select
        app_id, store, product_id, 0, 0, churned, voluntary, involuntary, price, product, refund, other, lapsed,
        came_and_went
    from churn
)

select
    app_id, store, product_id,
    sum(opening)::bigint as opening, sum(lost)::bigint as lost, sum(churned)::bigint as churned,
    sum(voluntary)::bigint as voluntary, sum(involuntary)::bigint as involuntary, sum(price)::bigint as price,
    sum(product)::bigint as product, sum(refund)::bigint as refund, sum(other)::bigint as other,
    sum(lapsed)::bigint as lapsed, sum(came_and_went)::bigint as came_and_went
from lines
group by app_id, store, product_id
order by app_id collate "C", store collate "C", product_id collate "C"
