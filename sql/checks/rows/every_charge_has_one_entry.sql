-- Proves that every sale with a known price above zero was charged once: one charge entry, none twice, none missing.
-- Grain: one row per transaction that differs; at most 20, row_count says how many.
with charged as (
    select subscription_key, transaction_id, product_id, count(*) as charges
    from pg_temp.known_entries
    where kind = 'charge'
    group by subscription_key, transaction_id, product_id
),

sold as (
    select subscription_key, transaction_id, product_id
    from pg_temp.known_transactions
    where subledger.bookable_micros(environment, ownership, kind, price_micros) > 0
)

select
    coalesce(sold.transaction_id, charged.transaction_id) as subject,
    '1' as expected,
    coalesce(charged.charges, 0)::text as found,
    count(*) over () as row_count
from sold
full join charged
    on charged.subscription_key = sold.subscription_key
    and charged.transaction_id = sold.transaction_id
    and charged.product_id = sold.product_id
where coalesce(charged.charges, 0) > 1 or (sold.transaction_id is not null and charged.charges is null)
order by subject
limit 20
