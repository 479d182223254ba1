-- rests on: refund_rates_daily, marts.half_even, marts.nearest, marts.ratio, marts.unless_all_left_out
-- Refund rates by month, both ways: by the day of the refund, and by the month of the charge.
-- Grain: one row per calendar month, app, store, product and currency with a charge or a refund.
--
-- By the day of the refund, what was given back in a month is compared with what was charged in it: it is final, and says
-- what the month cost. By the month of the charge, the refunds of that month's charges are, whenever they came: it matures,
-- and the youngest months still grow. A refund that was wholly taken back counts no longer, from the reversal's day on.
create view refund_rates (month, app_id, store, product_id, currency, charges, refunds, refund_rate, charged, refunded, refunded_share, charges_given_back, charge_refund_rate, given_back, given_back_share, charged_reporting, refunded_reporting, given_back_reporting, reporting_currency, unconverted, month_start) as
with sums as materialized (
    select counted.*
    from refund_rates_daily counted
    join report_scope scope on counted.day <= scope.through_date
),

figures as (
    select
        date_trunc('month', sums.day::timestamp)::date as month, app_id, store, product_id, currency, charges,
        refunds, charged_micros, refunded_micros, 0 as given_back, 0 as given_back_micros, charged_reporting_micros,
        refunded_reporting_micros, 0 as given_back_reporting_micros, unconverted
    from sums
    union all
    select charge_month, app_id, store, product_id, currency, 0, 0, 0, 0, refunded_charges, refunded_micros, 0, 0,
        refunded_reporting_micros, 0
    from sums
),

totalled as (
    select
        month, app_id, store, product_id, currency,
        sum(charges)::bigint as charges, sum(refunds)::bigint as refunds, sum(charged_micros) as charged_micros,
        sum(refunded_micros) as refunded_micros, sum(given_back)::bigint as given_back,
        sum(given_back_micros) as given_back_micros, sum(charged_reporting_micros) as charged_reporting_micros,
        sum(refunded_reporting_micros) as refunded_reporting_micros,
        sum(given_back_reporting_micros) as given_back_reporting_micros, sum(unconverted)::bigint as unconverted
    from figures
    join report_scope scope on month >= date_trunc('month', scope.from_date::timestamp)
    group by 1, 2, 3, 4, 5
)

select
    to_char(month, 'YYYY-MM'), app_id, store, product_id, totalled.currency, charges, refunds, marts.ratio(refunds, charges),
    charged_micros * 0.000001, refunded_micros * 0.000001, marts.ratio(refunded_micros, charged_micros),
    given_back, marts.ratio(given_back, charges),
    given_back_micros * 0.000001, marts.ratio(given_back_micros, charged_micros),
    marts.half_even(marts.unless_all_left_out(charged_reporting_micros, charged_micros), 1),
    marts.half_even(marts.unless_all_left_out(refunded_reporting_micros, refunded_micros), 1),
    marts.half_even(marts.unless_all_left_out(given_back_reporting_micros, given_back_micros), 1),
    scope.reporting_currency, unconverted, month
from totalled
cross join report_scope scope
where charges <> 0 or refunds <> 0 or refunded_micros <> 0;
