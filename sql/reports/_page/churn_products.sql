-- Churn of a span of days by product, and its rate.
-- Grain: one row per app, store and product. $1 seal, $2 first day, $3 last day, $4 time zone
-- The counts are sums of days. The rate follows the opening: of the lineages active when the span began, under the
-- product they had then, those that churned within it, each once.
with pieces as materialized (
    select
        piece.*,
        report.day_of(piece.starts_at, piece.store, $4::text) as start_day,
        report.day_of(piece.ends_at, piece.store, $4::text) as end_day
    from report.paid_segments_as_of($1::bigint) piece
),

opening as (
    select lineage_key, app_id, store, product_id from pieces where start_day < $2::date and end_day >= $2::date
),

lost as (
    select distinct lineage_key
    from pieces
    where is_last
        and outcome in ('voluntary', 'involuntary', 'price', 'product', 'refund', 'other')
        and end_day between $2::date and $3::date
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
    from report.churn_as_of($1::bigint, $2::date, $3::date, $4::text)
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
