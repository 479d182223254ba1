-- Exclusions: what the figures leave out, counted by reason.
-- Grain: one row per day of purchase, app and reason with any row.
--
-- A transaction that is not revenue stands under the first reason that fits: sandbox, family_shared, assigned, promotional, trial,
-- zero_price, missing_price. Two reasons count rows that are revenue all the same: invalid_period (it covers no time, so
-- it is in no subscriber figure) and unknown_credit (superseded by an upgrade, whose credit the App Store does not report).
-- Two more count revenue that is left out of the reporting currency: unknown_currency (the code is none of ISO 4217) and
-- missing_rate (no source quoted the currency before the day of the purchase).
create view exclusions (date, app_id, reason, rows) as
with within as materialized (
    select excluded.*
    from exclusions_daily excluded
    join report_scope scope on excluded.day >= scope.from_date and excluded.day <= scope.through_date
),

-- Sales in another currency than the reporting one, and whether a rate is there for them.
foreign_sales as materialized (
    select pair.currency, pair.rate_day, rate.numerator is not null as is_converted
    from (select distinct currency, rate_day from within where reason = 'revenue') pair
    cross join report_scope scope
    cross join subledger.reporting_currency_as_of(scope.seal) reporting_currency
    left join lateral report.conversion_as_of(
        scope.seal, pair.currency, reporting_currency, pair.rate_day
    ) rate on true
    where pair.currency <> reporting_currency
),

counted as (
    select day, app_id, reason, rows from within where reason <> 'revenue'
    union all
    select
        within.day, within.app_id,
        case
            when not report.is_known_currency(within.currency) then 'unknown_currency'
            when not foreign_sales.is_converted then 'missing_rate'
        end,
        within.rows
    from within
    join foreign_sales on foreign_sales.currency = within.currency and foreign_sales.rate_day = within.rate_day
    where within.reason = 'revenue'
)

select day, app_id, reason, sum(rows)::bigint
from counted
where reason is not null
group by day, app_id, reason;
