-- Churn of the thirty days to the last one, of the thirty before, and of the thirty a year before: of the lineages active when
-- they began, under the product they had then, those that churned within them, each once.
-- Grain: one row per last day of a span, app, store and product. Three spans, whatever days the scope begins with.
with spans as (
    select (scope.through_date - days_ago) as last_day, (scope.through_date - days_ago - 29) as first_day
    from report_scope scope
    cross join (values (0), (30), (365)) ends (days_ago)
    where isfinite(scope.through_date)
),

opening as (
    select
        spans.first_day, spans.last_day, period.lineage_key, period.app_id, period.store, period.product_id
    from spans
    join paid_periods period on period.start_day < spans.first_day and period.end_day >= spans.first_day
),

lost as (
    select distinct spans.last_day, period.lineage_key
    from spans
    join paid_periods period on period.end_day between spans.first_day and spans.last_day
    where period.is_last
        and period.outcome in ('voluntary', 'involuntary', 'price', 'product', 'refund', 'other')
)

select
    opening.last_day::text as date, opening.app_id, opening.store, opening.product_id,
    count(*)::text as opening, count(lost.lineage_key)::text as lost
from opening
left join lost on lost.lineage_key = opening.lineage_key and lost.last_day = opening.last_day
group by opening.last_day, opening.app_id, opening.store, opening.product_id
order by opening.last_day, opening.app_id collate "C", opening.store collate "C", opening.product_id collate "C"
