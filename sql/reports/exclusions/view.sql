-- Exclusions: what the figures leave out, counted by reason.
-- Grain: one row per day of purchase, app and reason with any row.
--
-- A transaction that is not revenue stands under the first reason that fits: sandbox, family_shared, promotional, trial,
-- zero_price, missing_price. Two reasons count rows that are revenue all the same: invalid_period (it covers no time, so
-- it is in no subscriber figure) and unknown_credit (superseded by an upgrade, whose credit the App Store does not tell).
-- Two more count revenue that is left out of the reporting currency: unknown_currency (the code is none of ISO 4217) and
-- missing_rate (no source quoted the currency before the day of the purchase).
drop view if exists report.exclusions;
drop function if exists report.exclusions_as_of(bigint, date, date, text);
create function report.exclusions_as_of(seal bigint, from_date date, through_date date, time_zone text) returns table (
    date date, app_id text, reason text, rows bigint
)
language sql stable
as $$
    with sold as materialized (
        select
            image.*,
            report.day_of(image.purchased_at, image.store, exclusions_as_of.time_zone) as day,
            (image.purchased_at at time zone 'UTC')::date as rate_day,
            subledger.bookable_micros(image.environment, image.ownership, image.kind, image.price_micros) > 0
                as is_revenue
        from subledger.transactions_as_of(exclusions_as_of.seal) image
    ),

    -- Sales in another currency than the reporting one, and whether a rate is there for them.
    foreign_sales as materialized (
        select pair.currency, pair.rate_day, rate.numerator is not null as is_converted
        from (select distinct sold.currency, sold.rate_day from sold where sold.is_revenue) pair
        join subledger.settings on settings.reporting_currency <> pair.currency
        left join lateral report.conversion_as_of(
            exclusions_as_of.seal, pair.currency, settings.reporting_currency, pair.rate_day
        ) rate on true
    ),

    counted as (
        select
            sold.day, sold.app_id,
            case
                when sold.environment <> 'production' then 'sandbox'
                when sold.ownership <> 'purchased' then 'family_shared'
                when sold.kind = 'trial' and sold.offer_type in ('promotional', 'win_back') then 'promotional'
                when sold.kind = 'trial' then 'trial'
                when sold.price_micros = 0 then 'zero_price'
                when sold.price_micros is null then 'missing_price'
            end as reason
        from sold
        union all
        select sold.day, sold.app_id, 'invalid_period'
        from sold
        where sold.environment = 'production'
            and sold.ownership = 'purchased'
            and sold.kind <> 'one_time'
            and (sold.period_end > sold.period_start) is not true
        union all
        select sold.day, sold.app_id, 'unknown_credit'
        from sold
        where sold.environment = 'production'
            and sold.ownership = 'purchased'
            and sold.store = 'app_store'
            and sold.is_upgraded
            and sold.price_micros > 0
        union all
        select
            sold.day, sold.app_id,
            case
                when not report.is_known_currency(sold.currency) then 'unknown_currency'
                when not foreign_sales.is_converted then 'missing_rate'
            end
        from sold
        join foreign_sales on foreign_sales.currency = sold.currency and foreign_sales.rate_day = sold.rate_day
        where sold.is_revenue
    )

    select day, app_id, reason, count(*)
    from counted
    where reason is not null and day >= exclusions_as_of.from_date and day <= exclusions_as_of.through_date
    group by day, app_id, reason
$$;

create view report.exclusions as
select report.*
from subledger.newest_seal() newest
cross join lateral report.exclusions_as_of(newest.seal, '-infinity', newest.business_date, 'UTC') report;

comment on function report.exclusions_as_of is 'Transactions that the figures leave out, by reason';
comment on view report.exclusions is 'Exclusions by day, as of the newest seal, in UTC';
comment on column report.exclusions.date is 'Day of the purchase';
comment on column report.exclusions.app_id is 'The owner''s own name of the app';
comment on column report.exclusions.reason is 'sandbox, family_shared, promotional, trial, zero_price, missing_price (the first that fits); invalid_period, unknown_credit, unknown_currency, missing_rate (counted besides)';
comment on column report.exclusions.rows is 'Transactions left out for that reason';
