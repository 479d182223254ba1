-- Proves that nothing is left out in silence: every transaction is revenue, or is listed in the exclusions under one reason.
-- Grain: one row per app that differs; at most 20, row_count says how many.
with sold as (
    select app_id, sum(transactions) as transactions, sum(booked) as booked
    from pg_temp.known_totals
    group by app_id
),

excluded as (
    select app_id, sum(rows) as transactions
    from exclusions
    where reason in ('sandbox', 'family_shared', 'assigned', 'bundled', 'promotional', 'trial', 'zero_price', 'missing_price')
    group by app_id
)

select
    sold.app_id as subject,
    sold.transactions || ' transactions' as expected,
    sold.booked || ' of revenue, ' || coalesce(excluded.transactions, 0) || ' excluded' as found,
    count(*) over () as row_count
from sold
left join excluded on excluded.app_id = sold.app_id
where sold.transactions <> sold.booked + coalesce(excluded.transactions, 0)
order by subject
limit 20
