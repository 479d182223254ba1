-- Who left, from which product, and why? Stacked bars: month_start, one series per reason, churned; filter by product_id.
-- One row per month, product and reason.
select
    date_trunc('month', churn.date::timestamp)::date as month_start, churn.app_id, churn.product_id, reason.name as reason,
    sum(reason.churned) as churned
from report.churn
cross join lateral (
    values
        ('voluntary', churn.voluntary), ('payment failed', churn.involuntary), ('price', churn.price),
        ('product withdrawn', churn.product), ('refund', churn.refund), ('other', churn.other)
) reason (name, churned)
where reason.churned > 0
group by date_trunc('month', churn.date::timestamp), churn.app_id, churn.product_id, reason.name
order by month_start, churn.app_id, churn.product_id, churned desc, reason.name
