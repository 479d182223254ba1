-- Adds prices that are not held as they are; a price that is held otherwise for the same day is corrected by a newer row.
-- Grain: one row per line that goes in; note says what it replaces, NULL where nothing was held.
-- $1 run, $2 line numbers, $3 apps, $4 products, $5 countries, $6 currencies, $7 prices in micros, $8 first days,
-- $9 base plans (NULL: any)
with given as (
    select line.line_no, line.app_id, line.product_id, coalesce(line.country, '') as country, line.currency,
        line.price_micros::bigint, coalesce(line.valid_from, '-infinity')::date as valid_from,
        coalesce(line.base_plan_id, '') as base_plan_id
    from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
        as line (line_no, app_id, product_id, country, currency, price_micros, valid_from, base_plan_id)
),

fresh as (
    select given.*, stored.price_micros as old_price, stored.currency as old_currency
    from given
    left join lateral (
        select known.price_micros, known.currency
        from subledger.prices known
        where known.app_id = given.app_id
            and known.product_id = given.product_id
            and known.base_plan_id = given.base_plan_id
            and known.country = given.country
            and known.valid_from = given.valid_from
        order by known.recorded_run_id desc
        limit 1
    ) stored on true
    where (stored.price_micros, stored.currency) is distinct from (given.price_micros, given.currency)
),

written as (
    insert into subledger.prices (
        app_id, product_id, base_plan_id, country, currency, price_micros, valid_from, recorded_run_id)
    select app_id, product_id, base_plan_id, country, currency, price_micros, valid_from, $1::bigint from fresh
)

select line_no, 'replaces ' || trim_scale(old_price * 0.000001) || ' ' || old_currency || ' for the same day' as note
from fresh
order by line_no
