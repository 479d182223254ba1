-- rests on: refund_rates_daily, marts.half_even, marts.nearest, marts.unless_all_left_out
-- Refund matrix: what was refunded in a month, of what had been sold when.
-- Grain: one row per month of the sale, month of the refund, app, store, product and currency with any refund or reversal.
create view refund_matrix (
    sold_month, refunded_month, app_id, store, product_id, currency, refunds, refunded, refunded_reporting, reporting_currency,
    unconverted, sold_month_start, refunded_month_start
) as
select
    to_char(sums.charge_month, 'YYYY-MM'), to_char(sums.day, 'YYYY-MM'), app_id, store, product_id, sums.currency,
    sum(refunds)::bigint, sum(refunded_micros) * 0.000001,
    marts.half_even(marts.unless_all_left_out(sum(refunded_reporting_micros), sum(refunded_micros)), 1),
    scope.reporting_currency, sum(unconverted_refunds)::bigint,
    date_trunc('month', sums.charge_month::timestamp)::date, date_trunc('month', sums.day::timestamp)::date
from refund_rates_daily sums
join report_scope scope
    on sums.day <= scope.through_date
    and sums.day >= date_trunc('month', scope.from_date::timestamp)
where refunds <> 0 or refunded_micros <> 0
group by 1, 2, 12, 13, app_id, store, product_id, sums.currency, scope.reporting_currency
having sum(refunds) <> 0 or sum(refunded_micros) <> 0;
