-- Churn of the thirty days to the last one, of the thirty before, and of the thirty a year before: of the lineages active when
-- they began, under the product they had then, those that churned within them, each once.
-- Grain: one row per last day of a span, app, store and product. Three spans, whatever days the scope begins with.
with spans as (
    select (scope.through_date - days_ago) as last_day, (scope.through_date - days_ago - 29) as first_day
    from report_scope scope
    cross join (values (0), (30), (365)) ends (days_ago)
    where isfinite(scope.through_date)
),

-- Counted by what came and went: customers who stayed are not read.
opening as (
    select spans.last_day, event.app_id, event.store, event.product_id, sum(event.lineages) as lineages
    from spans
    join churn_daily event on event.day <= spans.first_day and event.event = 'opened'
    group by spans.last_day, event.app_id, event.store, event.product_id
),

left_within as materialized (
    select distinct spans.last_day, spans.first_day, period.lineage_key
    from spans
    join paid_periods period on period.end_day between spans.first_day and spans.last_day
    where period.is_last
        and period.outcome in ('voluntary', 'involuntary', 'price', 'product', 'refund', 'other')
),

lost as (
    select ended.last_day, period.app_id, period.store, period.product_id, count(*) as lineages
    from left_within ended
    join paid_periods period
        on period.lineage_key = ended.lineage_key
        and period.start_day < ended.first_day and period.end_day >= ended.first_day
    group by ended.last_day, period.app_id, period.store, period.product_id
)

select
    last_day::text as date, app_id, store, product_id, opening.lineages::text as opening,
    coalesce(lost.lineages, 0)::text as lost
from opening
left join lost using (last_day, app_id, store, product_id)
where opening.lineages > 0
order by last_day, app_id collate "C", store collate "C", product_id collate "C"
