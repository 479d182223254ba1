-- Adds prices that are not held as they are; a price that is held otherwise for the same day is corrected by a newer row.
-- Grain: one row per line that goes in; note says what it replaces and what is doubtful of it, NULL where nothing is.
-- $1 run, $2 line numbers, $3 apps, $4 products, $5 countries, $6 currencies, $7 prices in micros (NULL: taken back), $8 first
-- days, $9 base plans (NULL: any), $10 lengths (NULL: the catalogue's)
with given as (
    select line.line_no, line.app_id, line.product_id, coalesce(line.country, '') as country, line.currency,
        line.price_micros::bigint, coalesce(line.valid_from, '-infinity')::date as valid_from,
        coalesce(line.base_plan_id, '') as base_plan_id, coalesce(line.period, '') as period
    from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
        as line (line_no, app_id, product_id, country, currency, price_micros, valid_from, base_plan_id, period)
),

fresh as (
    select given.*, stored.is_stored, stored.price_micros as old_price, stored.currency as old_currency
    from given
    left join lateral (
        select true as is_stored, known.price_micros, known.currency
        from subledger.prices known
        where known.app_id = given.app_id
            and known.product_id = given.product_id
            and known.base_plan_id = given.base_plan_id
            and known.period = given.period
            and known.country = given.country
            and known.valid_from = given.valid_from
        order by known.recorded_run_id desc
        limit 1
    ) stored on true
    where stored.is_stored is null
        or (stored.price_micros, stored.currency) is distinct from (given.price_micros, given.currency)
),

-- The lengths that the catalogue ever gave the products at hand.
catalogue as materialized (
    select
        known.app_id, known.product_id, known.period, length.months, length.days,
        exists (
            select
            from subledger.products plan
            where plan.app_id = known.app_id
                and plan.product_id = known.product_id
                and plan.base_plan_id = asked.base_plan_id
                and plan.base_plan_id <> ''
        ) as lists_plan,
        asked.base_plan_id as asked_plan_id
    from (select distinct app_id, product_id, base_plan_id from fresh where period <> '') asked
    join subledger.products known
        on known.app_id = asked.app_id
        and known.product_id = asked.product_id
        and known.base_plan_id in ('', asked.base_plan_id)
    cross join lateral subledger.length_of(known.period) length
    where length.months > 0 or length.days > 0
),

written as (
    insert into subledger.prices (
        app_id, product_id, base_plan_id, period, country, currency, price_micros, valid_from, recorded_run_id)
    select app_id, product_id, base_plan_id, period, country, currency, price_micros, valid_from, $1::bigint from fresh
)

select
    line_no,
    nullif(concat_ws(
        '; ',
        case
            when is_stored and old_price is null then 'gives a price again that was taken back for the same day'
            when is_stored then 'replaces ' || trim_scale(old_price * 0.000001) || ' ' || old_currency || ' for the same day'
            when price_micros is null then 'takes no price back: none is held of that day'
        end,
        case
            when price_micros is null or exists (
                select
                from subledger.products known
                cross join lateral subledger.length_of(known.period) length
                where known.app_id = fresh.app_id
                    and known.product_id = fresh.product_id
                    and (length.months > 0 or length.days > 0)
            ) then null
            when period = '' then product_id || ' has no length in the catalogue: the price holds for sales of any length'
            else product_id || ' has no length in the catalogue: the price holds for sales whose own dates make ' || period
        end,
        case when period <> '' and not exists (
            select
            from catalogue length
            cross join lateral subledger.length_of(fresh.period) own
            where length.app_id = fresh.app_id
                and length.product_id = fresh.product_id
                and length.asked_plan_id = fresh.base_plan_id
                and (
                    -- A base plan that it does not list has its own dates.
                    fresh.base_plan_id <> '' and not length.lists_plan
                    or (own.months, own.days) is not distinct from (length.months, length.days)
                    -- A year that is sold by the month.
                    or own.months = 1 and length.months = 12
                )
        ) then (
            select 'by the catalogue ' || min(length.product_id) || ' is sold for '
                || string_agg(distinct length.period, ', ') || ', and nothing for ' || fresh.period
            from catalogue length
            where length.app_id = fresh.app_id
                and length.product_id = fresh.product_id
                and length.asked_plan_id = fresh.base_plan_id
        ) end
    ), '') as note
from fresh
order by line_no
