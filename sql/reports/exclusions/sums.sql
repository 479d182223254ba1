-- What the figures leave out, and what they may leave out of the reporting currency.
-- Grain: one row per day of purchase, app, reason, currency and day of the exchange rate. The reason revenue is none: by
-- its currency and by the day of its purchase in UTC, rate_day, the report tells whether there is a rate. In every other
-- reason the currency is empty.
drop table if exists report.exclusions_sums cascade;
create table report.exclusions_sums (
    day date not null,
    app_id text not null,
    reason text not null,
    currency text not null,
    rate_day date not null,
    rows bigint not null,
    primary key (day, app_id, reason, currency, rate_day)
);

create or replace function report.exclusions_sums_as_of(seal bigint, subscriptions bigint[], time_zone text)
returns setof report.exclusions_sums
language sql stable
set enable_nestloop = off
set jit = off
as $$
    with sold as (
        select
            image.*,
            report.day_of(image.purchased_at, image.store, exclusions_sums_as_of.time_zone) as day,
            (image.purchased_at at time zone 'UTC')::date as rate_day,
            subledger.bookable_micros(image.environment, image.ownership, image.kind, image.price_micros) > 0
                as is_revenue
        from subledger.transactions_as_of(exclusions_sums_as_of.seal, exclusions_sums_as_of.subscriptions) image
        offset 0
    )

    select
        sold.day, sold.app_id, counted.reason, case counted.reason when 'revenue' then sold.currency else '' end,
        sold.rate_day, count(*)
    from sold
    cross join lateral (
        values
            (
                case
                    when sold.environment <> 'production' then 'sandbox'
                    when sold.ownership = 'family_shared' then 'family_shared'
                    when sold.ownership <> 'purchased' then 'assigned'
                    when sold.kind = 'trial' and sold.offer_type in ('promotional', 'win_back') then 'promotional'
                    when sold.kind = 'trial' then 'trial'
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
                        and sold.store = 'app_store'
                        and sold.is_upgraded
                        and sold.price_micros > 0
                        then 'unknown_credit'
                end
            ),
            (case when sold.is_revenue and sold.currency is not null then 'revenue' end)
    ) counted (reason)
    where counted.reason is not null
    group by 1, 2, 3, 4, 5
$$;

comment on table report.exclusions_sums is 'Kept sums of the exclusions, and of the revenue by what its exchange rate hangs on';
comment on function report.exclusions_sums_as_of is 'The same sums, of some subscriptions or all, as of a seal';

call report.make_reader('exclusions');
