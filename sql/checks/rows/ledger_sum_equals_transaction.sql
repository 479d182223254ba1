-- Proves that the money booked for a transaction is what the transaction says: its price less what was refunded, and
-- nothing for rows that are not revenue (trials, sandbox, family-shared, zero and unknown prices).
-- Grain: one row per transaction that differs, in micros; at most 20, row_count says how many.
with booked as (
    select subscription_key, transaction_id, product_id, sum(amount_micros) as micros
    from pg_temp.known_entries
    group by subscription_key, transaction_id, product_id
),

sold as (
    select
        subscription_key, transaction_id, product_id,
        subledger.bookable_micros(environment, ownership, kind, price_micros)
            - subledger.bookable_micros(environment, ownership, kind, refund_micros) as micros
    from pg_temp.known_transactions
)

select
    coalesce(sold.transaction_id, booked.transaction_id) as subject,
    coalesce(sold.micros::text, 'no transaction') as expected,
    coalesce(booked.micros, 0)::text as found,
    count(*) over () as row_count
from sold
full join booked
    on booked.subscription_key = sold.subscription_key
    and booked.transaction_id = sold.transaction_id
    and booked.product_id = sold.product_id
where sold.micros is distinct from coalesce(booked.micros, 0)
order by subject
limit 20
