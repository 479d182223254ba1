-- What is MRR at the end of each month, and how fast does it grow? Line chart: month_start, mrr.
-- One row per month. In the reporting currency; of the running month as of the last day reported.
with month as (
    select
        metrics.month_start, metrics.reporting_currency,
        sum(metrics.closing_mrr_reporting) as mrr, sum(metrics.active) as active, sum(metrics.unconverted) as unconverted
    from report.metrics
    group by metrics.month_start, metrics.reporting_currency
)

select
    month.month_start, month.mrr, round(month.mrr / nullif(lag(month.mrr) over (order by month.month_start), 0) - 1, 4) as growth,
    month.active, month.reporting_currency, month.unconverted
from month
order by month.month_start
