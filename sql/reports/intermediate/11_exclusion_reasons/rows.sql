-- The exclusion reasons of the lineages at hand. Grain: see the table.
--
-- A transaction that is not revenue is listed under the first reason that fits. The other reasons are beside revenue:
-- invalid_period (it covers no time, so it is in no subscriber figure), prepaid (nor is what does not renew), unknown_credit
-- (superseded by an upgrade, whose credit the App Store does not report), and unknown_currency or missing_rate (no source quoted
-- its currency before the day of the purchase), which the reporting currency leaves out.
create temp table new_exclusion_reasons on commit drop as
select
    sold.lineage_key, sold.subscription_key, sold.transaction_id, sold.product_id, counted.reason,
    marts.day_of(sold.purchased_at, sold.store, scope.time_zone) as day, sold.app_id
from pg_temp.known_transactions sold
cross join pg_temp.report_scope scope
left join pg_temp.purchase_rates rate
    on rate.currency = sold.currency
    and rate.purchase_day = (sold.purchased_at at time zone 'UTC')::date
left join (
    select lineage_key, min(period_start) as first_paid_at
    from pg_temp.known_transactions
    where environment = 'production'
        and ownership = 'purchased'
        and marts.is_paid(store, kind, price_micros, proceeds_micros, recurring_price_micros)
    group by lineage_key
) paying on paying.lineage_key = sold.lineage_key
cross join lateral (
    values
        (
            case
                when sold.environment <> 'production' then 'sandbox'
                when sold.bundle_transaction_id is not null then 'bundled'
                when sold.ownership = 'family_shared' then 'family_shared'
                when sold.ownership <> 'purchased' then 'assigned'
                when sold.kind = 'trial' then case
                    when marts.is_trial(sold.kind, sold.offer_type, sold.period_start, paying.first_paid_at) then 'trial'
                    else 'promotional'
                end
                when sold.price_micros = 0 then 'zero_price'
                when sold.price_micros is null then 'missing_price'
            end
        ),
        (
            case
                when sold.environment = 'production'
                    and sold.ownership = 'purchased'
                    and sold.kind <> 'one_time'
                    and (sold.period_end > sold.period_start) is not true
                    then 'invalid_period'
            end
        ),
        (
            case
                when sold.environment = 'production'
                    and sold.ownership = 'purchased'
                    and subledger.is_credit_unknown(sold.store, sold.is_upgraded)
                    and sold.price_micros > 0
                    then 'unknown_credit'
            end
        ),
        (
            case
                when sold.environment = 'production' and sold.ownership = 'purchased' and sold.kind = 'top_up' then 'prepaid'
            end
        ),
        (
            case
                when (subledger.bookable_micros(sold.environment, sold.ownership, sold.kind, sold.price_micros) > 0) is not true
                    or sold.currency is null
                    or sold.currency = scope.reporting_currency
                    then null
                when not marts.is_known_currency(sold.currency) then 'unknown_currency'
                when rate.currency is null then 'missing_rate'
            end
        )
) counted (reason)
where counted.reason is not null;

analyze pg_temp.new_exclusion_reasons;
