-- Revenue by month, store and product for people; amounts in micros.
-- Grain: one row per month, app, store, product and currency with any movement.
select
    to_char(date, 'YYYY-MM') as month, app_id, store, product_id, currency, sum(charges)::bigint as charges,
    sum(refunds)::bigint as refunds, (sum(gross) * 1000000)::bigint as gross,
    (sum(refunded) * 1000000)::bigint as refunded
from revenue
group by to_char(date, 'YYYY-MM'), app_id, store, product_id, currency
order by 1 desc, app_id collate "C", store collate "C", product_id collate "C", currency collate "C"
