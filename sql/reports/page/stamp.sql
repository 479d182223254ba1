-- What the page says of its data as a whole: the reporting currency, since when the stores are asked, and whose exchange rates
-- it was converted with, as the seal knew them.
-- Also when the published commission rules were last compared with the stores' pages.
-- Grain: one row; rate_sources and newest_rate are NULL where no rate is known. $1 seal
select
    subledger.reporting_currency_as_of($1::bigint) as currency,
    (
        select min(run.business_date)::text
        from subledger.runs run
        where run.job in ('nightly', 'intake') and run.seal <= $1::bigint
    ) as observed_since,
    string_agg(distinct rate.source, ', ' order by rate.source) as rate_sources,
    max(rate.rate_date)::text as newest_rate,
    subledger.commission_rules_compared_on()::text as rules_compared_on
from subledger.fx_rates rate
where rate.recorded_run_id = 0
    or (select run.seal from subledger.runs run where run.run_id = rate.recorded_run_id) <= $1::bigint
