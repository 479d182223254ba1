-- What the price list says of a sale, and which rows take their price from it.

-- The base plan's own price before that of any plan, the country's own before that of any country, the newest that was valid when
-- it was bought, the last one recorded. Days are days in UTC. Grain: one row, none where the list has no price.
create or replace function subledger.list_price(
    app_id text, product_id text, base_plan_id text, country text, purchased_at timestamptz
) returns table (price_micros bigint, currency text) language sql stable
as $$
    select listed.price_micros, listed.currency
    from subledger.prices listed
    where listed.app_id = list_price.app_id
        and listed.product_id = list_price.product_id
        and listed.base_plan_id in ('', list_price.base_plan_id)
        and listed.country in ('', list_price.country)
        -- A price of a length of its own is none of the product's usual length.
        and listed.period = ''
        and listed.valid_from <= (list_price.purchased_at at time zone 'UTC')::date
    order by listed.base_plan_id desc, listed.country desc, listed.valid_from desc, listed.recorded_run_id desc,
        listed.currency
    limit 1
$$;

-- Which rows may take their price from the list: bookable ones without an offer (an offer's price is not the list's), and none whose
-- refund is a share that was reported without the price it is a share of. Grain: one value.
create or replace function subledger.is_list_priced(
    environment text, ownership text, kind text, offer_type text, refund_kind text, refund_micros bigint
) returns boolean language sql immutable parallel safe
return subledger.bookable_micros(environment, ownership, kind, 1) = 1
    and offer_type is null
    and (refund_kind is distinct from 'partial' or refund_micros is not null);

comment on function subledger.list_price is 'The price list''s price of one unit for a purchase';
comment on function subledger.is_list_priced is 'Whether a row without a store price may take the list''s';
