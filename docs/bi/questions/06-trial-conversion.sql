-- Do trials convert, by the week they started in? Bars: week_start, conversion_rate, one series per product.
-- One row per week and product. The rate is converted ÷ started: it grows while trials of the week are pending.
select
    day.week_start, trials.app_id, trials.product_id, sum(trials.started) as started, sum(trials.converted) as converted,
    sum(trials.pending) as pending, round(sum(trials.converted) / nullif(sum(trials.started), 0), 4) as conversion_rate
from report.trials
join report.dim_days day on day.date = trials.cohort_date
group by day.week_start, trials.app_id, trials.product_id
order by day.week_start, trials.app_id, trials.product_id
