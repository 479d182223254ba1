-- What did price changes bring, and what came of offers that began or ended? Bars: month_start, of_price, of_offers, of_plans.
-- One row per month with any expansion or contraction. In the reporting currency, at the rate of the new period.
select
    date_trunc('month', log.date::timestamp)::date as month_start, count(distinct log.lineage_key) as customers,
    round(sum(log.of_which_price_reporting), 6) as of_price, round(sum(log.of_which_offers_reporting), 6) as of_offers,
    round(sum(log.change_reporting - log.fx_reporting - log.of_which_price_reporting - log.of_which_offers_reporting), 6) as of_plans,
    log.reporting_currency
from report.mrr_change_log log
where log.movement in ('expansion', 'contraction')
group by date_trunc('month', log.date::timestamp), log.reporting_currency
order by month_start
