-- Revenue by day, store and product for people; amounts in micros.
-- Grain: one row per day, app, store, product and currency with any movement.
-- $1 seal, $2 first day, $3 last day, $4 time zone
select
    date::text as day, app_id, store, product_id, currency, sum(charges)::bigint as charges,
    sum(refunds)::bigint as refunds, (sum(gross) * 1000000)::bigint as gross,
    (sum(refunded) * 1000000)::bigint as refunded
from report.revenue_as_of($1::bigint, $2::date, $3::date, $4::text)
group by date, app_id, store, product_id, currency
order by date desc, app_id collate "C", store collate "C", product_id collate "C", currency collate "C"
