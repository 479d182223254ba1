-- rests on: refunds_daily, marts.half_even, marts.nearest, marts.unless_all_left_out
-- Refunds: the ledger's refund entries by the day of the refund, and their reversals by the day they were reported.
-- Grain: one row per day, app, store, product, currency and kind with any refund.
--
-- kind: full, where one entry gives the whole price back; partial; reversal, where the store took refunds back, with
-- negative figures. The sums over the kinds are the columns refunds and refunded of the revenue report. A revocation
-- without money back has no entry, and the App Store does not report an upgrade's credit: neither is here.
create view refunds (date, app_id, store, product_id, currency, kind, refunds, refunded, refunded_reporting, reporting_currency, unconverted) as
select
    day, app_id, store, product_id, refunds_daily.currency, kind, refunds, -micros * 0.000001,
    marts.half_even(marts.unless_all_left_out(-reporting_micros, micros), 1), scope.reporting_currency, unconverted
from refunds_daily
join report_scope scope on day >= scope.from_date and day <= scope.through_date;
