-- What the price list says of a sale, and which rows take their price from it.

-- Whether two lengths, each so many months or else so many days, are the same.
create or replace function subledger.is_same_length(months bigint, days bigint, other_months bigint, other_days bigint)
returns boolean language sql immutable
return case
    when coalesce(is_same_length.months, 0) > 0 or coalesce(is_same_length.other_months, 0) > 0
        then coalesce(is_same_length.months, 0) = coalesce(is_same_length.other_months, 0)
    else is_same_length.days = is_same_length.other_days
end;

-- A list price is what one period costs: a line of a length is for rows that were sold for it, one without for rows of the
-- catalogue's length, or of any where the catalogue has none. A one-time sale takes a line without a length. Of several lines the
-- base plan's own counts, then the one of a length, then the country's own, then the newest that was valid when it was bought, then
-- the last one recorded; where that one takes a price back, there is none. Days are days in UTC.
-- Grain: one row, none where the list has no price.
create or replace function subledger.list_price(
    app_id text, store text, product_id text, base_plan_id text, country text, kind text, purchased_at timestamptz, starts_at timestamptz,
    ends_at timestamptz
) returns table (price_micros bigint, currency text) language sql stable
as $$
    select found.price_micros, found.currency
    from (
        select listed.price_micros, listed.currency
        from (select (list_price.purchased_at at time zone 'UTC')::date as day) bought
        left join lateral subledger.catalogue_length(
            list_price.app_id, list_price.product_id, list_price.base_plan_id, bought.day
        ) catalogue on true
        left join lateral subledger.length_sold(
            list_price.store, list_price.kind, false, list_price.base_plan_id, false, list_price.starts_at, list_price.ends_at, catalogue.months,
            catalogue.days, coalesce(catalogue.is_of_plan, false)
        ) sold on list_price.kind <> 'one_time'
        cross join subledger.prices listed
        cross join lateral subledger.length_of(listed.period) length
        where listed.app_id = list_price.app_id
            and listed.product_id = list_price.product_id
            and listed.base_plan_id in ('', list_price.base_plan_id)
            and listed.country in ('', list_price.country)
            and listed.valid_from <= bought.day
            and case
                when list_price.kind = 'one_time' then listed.period = ''
                when listed.period <> '' then subledger.is_same_length(length.months, length.days, sold.months, sold.days)
                else coalesce(catalogue.months, catalogue.days) is null
                    or subledger.is_same_length(catalogue.months, catalogue.days, sold.months, sold.days)
            end
        order by listed.base_plan_id desc, listed.period <> '' desc, listed.country desc, listed.valid_from desc,
            listed.recorded_run_id desc, listed.currency
        limit 1
    ) found
    where found.price_micros is not null
$$;

-- Which rows may take their price from the list: bookable ones without an offer (an offer's price is not the list's), and none whose
-- refund is a share that was reported without the price it is a share of. Grain: one value.
create or replace function subledger.is_list_priced(
    environment text, ownership text, kind text, offer_type text, offer_id text, refund_kind text, refund_micros bigint
) returns boolean language sql immutable parallel safe
return subledger.bookable_micros(environment, ownership, kind, 1) = 1
    and offer_type is null
    and offer_id is null
    and (refund_kind is distinct from 'partial' or refund_micros is not null);

comment on function subledger.list_price is 'The price list''s price of one unit for a purchase';
comment on function subledger.is_same_length is 'Whether two lengths in months, or else in days, are the same';
comment on function subledger.is_list_priced is 'Whether a row without a store price may take the list''s';
