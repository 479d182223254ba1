-- Why did MRR move, month by month? Stacked bars: month_start, one series per movement, amount.
-- One row per month and movement. In the reporting currency; outflows are negative, and a month's amounts are closing less opening.
select
    date_trunc('month', bridge.date::timestamp)::date as month_start, movement.name as movement, sum(movement.amount) as amount,
    bridge.reporting_currency
from report.mrr_bridge bridge
cross join lateral (
    values
        ('new', bridge.new_reporting), ('imported', bridge.imported_reporting), ('expansion', bridge.expansion_reporting),
        ('reactivation', bridge.reactivation_reporting), ('recovery', bridge.recovery_reporting),
        ('contraction', bridge.contraction_reporting), ('churn: voluntary', bridge.churn_voluntary_reporting),
        ('churn: payment failed', bridge.churn_involuntary_reporting), ('churn: price', bridge.churn_price_reporting),
        ('churn: product withdrawn', bridge.churn_product_reporting), ('churn: refund', bridge.churn_refund_reporting),
        ('churn: other', bridge.churn_other_reporting), ('payment awaited', bridge.lapsed_reporting),
        ('paused', bridge.paused_reporting), ('moved', bridge.moved_in_reporting + bridge.moved_out_reporting),
        ('exchange rates', bridge.fx_reporting)
) movement (name, amount)
group by date_trunc('month', bridge.date::timestamp), movement.name, bridge.reporting_currency
having sum(movement.amount) <> 0
order by month_start, movement.name
