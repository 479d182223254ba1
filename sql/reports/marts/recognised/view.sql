-- rests on: recognised_daily, marts.nearest, marts.nearest_whole_of
-- Recognised and deferred revenue: each charge spread evenly over its service period.
-- Grain: one row per day, app, store, product and currency with anything recognised or deferred, in either currency.
--
-- What is recognised up to an instant is the money of each transaction by then (charge, corrections, refunds) × the part of its
-- service period that has passed, summed exactly and rounded once, half to even to the micro. A day recognises what that sum
-- gained since the day before, so days add up to what was billed; deferred is what is billed by the day's end less that sum. It
-- follows that a refund takes back what was recognised on its own day, and the rest from deferred; and that no entry moves an
-- earlier day than its own. A sale without a period is recognised at once; so is what was left of a period that an App Store
-- upgrade superseded, when its successor begins: the store does not report its credit.
create view recognised (
    date, app_id, store, product_id, currency, recognised, deferred, recognised_reporting, deferred_reporting,
    reporting_currency, unconverted
) as
with totals as (
    select
        day, app_id, store, product_id, currency, parts, unconverted,
        sum(billed) over so_far as billed_micros,
        marts.nearest_whole_of(sum(earned) over so_far) as earned_micros,
        marts.nearest_whole_of(sum(earned) over before) as earned_before_micros,
        marts.nearest_whole_of(sum(billed_reporting) over so_far) as billed_reporting_micros,
        marts.nearest_whole_of(sum(earned_reporting) over so_far) as earned_reporting_micros,
        marts.nearest_whole_of(sum(earned_reporting) over before) as earned_reporting_before_micros
    from recognised_daily
    window so_far as (partition by app_id, store, product_id, currency order by day),
        before as (
            partition by app_id, store, product_id, currency order by day
            rows between unbounded preceding and 1 preceding
        )
),

days as (
    select
        totals.*, earned_micros - coalesce(earned_before_micros, 0) as recognised_micros,
        billed_micros - earned_micros as deferred_micros,
        earned_reporting_micros - coalesce(earned_reporting_before_micros, 0) as recognised_reporting_micros,
        billed_reporting_micros - earned_reporting_micros as deferred_reporting_micros,
        unconverted < parts as is_converted
    from totals
    join report_scope scope on totals.day >= scope.from_date and totals.day <= scope.through_date
)

select
    days.day, app_id, store, product_id, currency, recognised_micros * 0.000001, deferred_micros * 0.000001,
    case when is_converted then recognised_reporting_micros * 0.000001 end,
    case when is_converted then deferred_reporting_micros * 0.000001 end,
    scope.reporting_currency, unconverted
from days
cross join report_scope scope
where recognised_micros <> 0
    or deferred_micros <> 0
    or is_converted and (recognised_reporting_micros <> 0 or deferred_reporting_micros <> 0);
