-- Questions that founders and analysts ask, each answered by one statement over the views of schema report. They show what the
-- last report was made from; amounts without a currency column are in the reporting currency, without what has no rate.
-- Run one with psql: set search_path to report, marts, subledger;

-- What was MRR 30 days ago, what is it now, and why did it change?
with days as (
    select through_date as last_day, through_date - 30 as first_day, reporting_currency from report_scope
)

select
    days.first_day, days.last_day, days.reporting_currency,
    coalesce(sum(bridge.opening_reporting) filter (where bridge.date = days.first_day + 1), 0) as mrr_then,
    sum(bridge.new_reporting + bridge.imported_reporting) as new,
    sum(bridge.reactivation_reporting + bridge.recovery_reporting) as won_back,
    sum(bridge.expansion_reporting) as expansion,
    sum(bridge.contraction_reporting) as contraction,
    sum(bridge.churn_voluntary_reporting) as churn_voluntary,
    sum(bridge.churn_involuntary_reporting) as churn_involuntary,
    sum(bridge.churn_price_reporting + bridge.churn_product_reporting + bridge.churn_refund_reporting
        + bridge.churn_other_reporting) as churn_otherwise,
    sum(bridge.lapsed_reporting + bridge.paused_reporting) as lapsed_or_paused,
    sum(bridge.moved_in_reporting + bridge.moved_out_reporting) as moved,
    sum(bridge.fx_reporting) as fx,
    coalesce(sum(bridge.closing_reporting) filter (where bridge.date = days.last_day), 0) as mrr_now,
    coalesce(sum(bridge.unconverted) filter (where bridge.date = days.last_day), 0) as unconverted
from days
join mrr_bridge bridge on bridge.date > days.first_day and bridge.date <= days.last_day
group by days.first_day, days.last_day, days.reporting_currency;

-- Which product churned most in the last month, and why?
select
    churn.app_id, churn.product_id, sum(churn.churned) as churned, sum(churn.voluntary) as voluntary,
    sum(churn.involuntary) as involuntary, sum(churn.price) as price, sum(churn.product) as product,
    sum(churn.refund) as refund, sum(churn.other) as other
from churn
join report_scope scope on churn.date > scope.through_date - 30
group by churn.app_id, churn.product_id
having sum(churn.churned) > 0
order by churned desc, churn.app_id, churn.product_id;

-- What renews next week, what of it has been cancelled or is at risk, and what would the rest bring?
select
    renewals.date, sum(renewals.due) as due, sum(renewals.set_to_cancel) as set_to_cancel, sum(renewals.at_risk) as at_risk,
    sum(renewals.amount_reporting) as amount, renewals.reporting_currency, sum(renewals.unconverted) as unconverted
from renewals
join report_scope scope on renewals.date <= scope.through_date + 7
group by renewals.date, renewals.reporting_currency
order by renewals.date;

-- How many trials were converted, by country?
select
    country, sum(trials_started) as started, sum(trials_converted) as converted,
    round(sum(trials_converted)::numeric / nullif(sum(trials_started), 0), 4) as rate
from countries
group by country
having sum(trials_started) > 0
order by started desc, country;

-- What was refunded this month and last, of what had been sold when?
select
    refund_matrix.refunded_month, refund_matrix.sold_month, sum(refund_matrix.refunds) as refunds,
    sum(refund_matrix.refunded_reporting) as refunded, refund_matrix.reporting_currency
from refund_matrix
join report_scope scope
    on refund_matrix.refunded_month >= to_char(scope.through_date - interval '1 month', 'YYYY-MM')
group by refund_matrix.refunded_month, refund_matrix.sold_month, refund_matrix.reporting_currency
order by refund_matrix.refunded_month, refund_matrix.sold_month;

-- What was net revenue by month, and what of it is estimated, listed, missing or unconverted?
select
    to_char(date, 'YYYY-MM') as month, reporting_currency, sum(net_reporting) as net, sum(proceeds_reporting) as proceeds,
    round(sum(estimated_share * moved) / nullif(sum(moved), 0), 4) as estimated_share,
    round(sum(listed_share * moved) / nullif(sum(moved), 0), 4) as listed_share,
    round(sum(missing_share * moved) / nullif(sum(moved), 0), 4) as missing_share,
    sum(unconverted) as unconverted
from (select revenue.*, gross_reporting + refunded_reporting as moved from revenue) sold
group by to_char(date, 'YYYY-MM'), reporting_currency
order by month;

-- What has a customer brought within 90 days, by the month of the first payment?
select
    cohort_month, sum(cohort_size) as customers, sum(net_reporting) as net,
    round(sum(net_reporting) / nullif(sum(cohort_size), 0), 6) as per_customer, reporting_currency
from ltv
where days = 90 and net is not null
group by cohort_month, reporting_currency
order by cohort_month;

-- Who is at risk, since when, and who of them never paid?
select
    state, days_at_risk, sum(subscriptions) as subscriptions, sum(never_paid) as never_paid, sum(mrr_reporting) as mrr,
    reporting_currency
from at_risk
group by state, days_at_risk, reporting_currency
order by state, min(length(days_at_risk)), days_at_risk;

-- How many renew at each payment, and do customers who came back stay longer than new ones?
select
    tenure, sum(due) filter (where customer = 'new') as new_due,
    round(sum(renewed) filter (where customer = 'new')::numeric / nullif(sum(due) filter (where customer = 'new'), 0), 4) as new_rate,
    sum(due) filter (where customer = 'returning') as returning_due,
    round(
        sum(renewed) filter (where customer = 'returning')::numeric
            / nullif(sum(due) filter (where customer = 'returning'), 0), 4
    ) as returning_rate
from tenure
group by tenure
having sum(due) > 0
order by tenure;
