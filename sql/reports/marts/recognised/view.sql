-- Recognised and deferred revenue: each charge spread evenly over its service period.
-- Grain: one row per day, app, store, product and currency with anything recognised or deferred.
--
-- What is recognised of a transaction up to an instant is its money by then (charge, corrections, refunds) × the part of
-- its service period that has passed, rounded half to even to the micro; a day recognises what that sum gained since the
-- day before, so the days of a charge add up to it exactly. Deferred is the rest at the day's end. It follows that a
-- refund takes back what was recognised on its own day, and the rest from deferred; and that no entry moves an earlier day
-- than its own. A sale without a period is recognised at once; so is what was left of a period that an App Store upgrade
-- superseded, when its successor begins: the store does not report its credit.
create view recognised (
    date, app_id, store, product_id, currency, recognised, deferred, recognised_reporting, deferred_reporting,
    reporting_currency, unconverted
) as
select
    earned.day, earned.app_id, earned.store, earned.product_id, earned.currency, earned.recognised * 0.000001,
    earned.deferred * 0.000001,
    case when earned.unconverted < earned.parts then earned.recognised_reporting * 0.000001 end,
    case when earned.unconverted < earned.parts then earned.deferred_reporting * 0.000001 end,
    scope.reporting_currency, earned.unconverted
from recognised_daily earned
join report_scope scope on earned.day >= scope.from_date and earned.day <= scope.through_date
where earned.recognised <> 0 or earned.deferred <> 0;
