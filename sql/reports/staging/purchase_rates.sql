-- rests on: known_changes, known_transactions, marts.conversion_as_of, marts.published_conversion_as_of,
-- rests on: subledger.fixed_euro_rate, subledger.fx_rates, subledger.runs
-- What money of the lineages at hand comes to in the reporting currency: the rate of each purchase's day (in UTC), which applies to
-- its refunds and for its expected renewal, too. Grain: one row per currency and day for which a source quotes both currencies.
create temp table purchase_rates on commit drop as
select
    bought.currency, bought.purchase_day, rate.numerator, rate.denominator, rate.source, rate.rate_date, rate.is_flagged
from (
    select distinct currency, (purchased_at at time zone 'UTC')::date as purchase_day
    from pg_temp.known_transactions
    where currency is not null and price_micros is not null
    union
    -- What the store says of a renewal may be in another currency than what is paid now.
    select change.renewal_currency, (sold.purchased_at at time zone 'UTC')::date
    from (
        select distinct subscription_key, renewal_currency from pg_temp.known_changes where renewal_currency is not null
    ) change
    join pg_temp.known_transactions sold on sold.subscription_key = change.subscription_key
    where sold.currency is distinct from change.renewal_currency
) bought
cross join pg_temp.report_scope scope
cross join lateral marts.conversion_as_of(scope.seal, bought.currency, scope.reporting_currency, bought.purchase_day) rate;

analyze pg_temp.purchase_rates;
