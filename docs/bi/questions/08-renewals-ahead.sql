-- What renews in the next 30 days, and what would it bring? Bars: date, amount.
-- One row per day, days without any included. In the reporting currency; what is set to cancel is not in amount.
select
    day.date, coalesce(sum(renewals.due), 0) as due, coalesce(sum(renewals.set_to_cancel), 0) as set_to_cancel,
    coalesce(sum(renewals.at_risk), 0) as in_grace, coalesce(sum(renewals.amount_reporting), 0) as amount,
    scope.reporting_currency, coalesce(sum(renewals.unconverted), 0) as unconverted
from report.report_scope scope
join report.dim_days day on day.date > scope.through_date and day.date <= scope.through_date + 30
left join report.renewals on renewals.date = day.date
group by day.date, scope.reporting_currency
order by day.date
