-- Proves that charges were booked with the tax and the proceeds that the store reported for their transactions.
-- Grain: one row per transaction and figure that differs, in micros; at most 20, row_count says how many.
with booked as (
    select
        subscription_key, transaction_id, product_id, sum(tax_micros) as tax, sum(proceeds_micros) as proceeds
    from pg_temp.known_entries
    where kind in ('charge', 'correction')
    group by subscription_key, transaction_id, product_id
),

compared as (
    select sold.transaction_id, figure.name, figure.expected, figure.found
    from pg_temp.known_transactions sold
    left join booked
        on booked.subscription_key = sold.subscription_key
        and booked.transaction_id = sold.transaction_id
        and booked.product_id = sold.product_id
    cross join lateral (
        values ('tax', sold.tax_micros, booked.tax), ('proceeds', sold.proceeds_micros, booked.proceeds)
    ) figure (name, expected, found)
    where subledger.bookable_micros(sold.environment, sold.ownership, sold.kind, sold.price_micros) > 0
)

select
    transaction_id || ' ' || name as subject,
    coalesce(expected::text, 'none') as expected,
    coalesce(found::text, 'none') as found,
    count(*) over () as row_count
from compared
where expected is distinct from found
order by subject
limit 20
