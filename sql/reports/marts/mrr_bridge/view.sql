-- rests on: mrr_daily, report.half_even, report.nearest
-- The MRR bridge: what each day opened with, every movement of it, and what it closed with.
-- opening + imported + moved_in + new + expansion + reactivation + recovery + contraction + churn_* + lapsed + paused
--     + moved_out + fx = closing; outflows are negative. Each change stands in exactly one bucket.
-- Grain: one row per day, app, store, product and currency with any figure other than zero, from the first movement on.
--
-- Sums are exact; each printed figure is rounded once, on its own, half to even. Openings are running sums of the
-- movements, never a join of days and subscriptions. fx is zero in the original currency. In the reporting currency each paid
-- period has the rate of its own purchase: there fx is what the same amount is worth more or less from one period to the next.
-- When the store gives up, what stood under lapsed becomes churn_involuntary of that same day.
create view mrr_bridge (
    date, app_id, store, product_id, currency, opening, imported, moved_in, new, expansion, reactivation, recovery,
    contraction, churn_voluntary, churn_involuntary, churn_price, churn_product, churn_refund, churn_other, lapsed, paused,
    moved_out, fx, closing, opening_reporting, imported_reporting, moved_in_reporting, new_reporting, expansion_reporting,
    reactivation_reporting, recovery_reporting, contraction_reporting, churn_voluntary_reporting, churn_involuntary_reporting,
    churn_price_reporting, churn_product_reporting, churn_refund_reporting, churn_other_reporting, lapsed_reporting,
    paused_reporting, moved_out_reporting, fx_reporting, closing_reporting, reporting_currency, unconverted
) as
with first_day as (
    -- Without any movement there is no first day, and a series from -infinity would never end.
    select case when count(*) > 0 then greatest(scope.from_date, min(change.day)) end as day
    from report_scope scope
    join mrr_daily change on change.day <= scope.through_date
    group by scope.from_date
),

-- What moved before the first day is the first opening.
moved as (
    select
        greatest(change.day, first_day.day) as day, change.app_id, change.store, change.product_id, change.currency,
        sum(change.unconverted) as unconverted,
        sum(change.nanos) as nanos,
        coalesce(sum(change.nanos) filter (where change.day < first_day.day), 0) as nanos_before,
        coalesce(sum(change.nanos) filter (where change.bucket = 'imported' and change.day >= first_day.day), 0)
            as imported,
        coalesce(sum(change.nanos) filter (where change.bucket = 'moved_in' and change.day >= first_day.day), 0)
            as moved_in,
        coalesce(sum(change.nanos) filter (where change.bucket = 'new' and change.day >= first_day.day), 0)
            as new,
        coalesce(sum(change.nanos) filter (where change.bucket = 'expansion' and change.day >= first_day.day), 0)
            as expansion,
        coalesce(sum(change.nanos) filter (where change.bucket = 'reactivation' and change.day >= first_day.day), 0)
            as reactivation,
        coalesce(sum(change.nanos) filter (where change.bucket = 'recovery' and change.day >= first_day.day), 0)
            as recovery,
        coalesce(sum(change.nanos) filter (where change.bucket = 'contraction' and change.day >= first_day.day), 0)
            as contraction,
        coalesce(sum(change.nanos) filter (where change.bucket = 'churn_voluntary' and change.day >= first_day.day), 0)
            as churn_voluntary,
        coalesce(sum(change.nanos) filter (where change.bucket = 'churn_involuntary' and change.day >= first_day.day), 0)
            as churn_involuntary,
        coalesce(sum(change.nanos) filter (where change.bucket = 'churn_price' and change.day >= first_day.day), 0)
            as churn_price,
        coalesce(sum(change.nanos) filter (where change.bucket = 'churn_product' and change.day >= first_day.day), 0)
            as churn_product,
        coalesce(sum(change.nanos) filter (where change.bucket = 'churn_refund' and change.day >= first_day.day), 0)
            as churn_refund,
        coalesce(sum(change.nanos) filter (where change.bucket = 'churn_other' and change.day >= first_day.day), 0)
            as churn_other,
        coalesce(sum(change.nanos) filter (where change.bucket = 'lapsed' and change.day >= first_day.day), 0)
            as lapsed,
        coalesce(sum(change.nanos) filter (where change.bucket = 'paused' and change.day >= first_day.day), 0)
            as paused,
        coalesce(sum(change.nanos) filter (where change.bucket = 'moved_out' and change.day >= first_day.day), 0)
            as moved_out,
        sum(change.reporting_nanos) as reporting_nanos,
        coalesce(sum(change.reporting_nanos) filter (where change.day < first_day.day), 0) as reporting_nanos_before,
        coalesce(sum(change.reporting_nanos) filter (where change.bucket = 'imported' and change.day >= first_day.day), 0)
            as imported_reporting,
        coalesce(sum(change.reporting_nanos) filter (where change.bucket = 'moved_in' and change.day >= first_day.day), 0)
            as moved_in_reporting,
        coalesce(sum(change.reporting_nanos) filter (where change.bucket = 'new' and change.day >= first_day.day), 0)
            as new_reporting,
        coalesce(sum(change.reporting_nanos) filter (where change.bucket = 'expansion' and change.day >= first_day.day), 0)
            as expansion_reporting,
        coalesce(sum(change.reporting_nanos) filter (where change.bucket = 'reactivation' and change.day >= first_day.day), 0)
            as reactivation_reporting,
        coalesce(sum(change.reporting_nanos) filter (where change.bucket = 'recovery' and change.day >= first_day.day), 0)
            as recovery_reporting,
        coalesce(sum(change.reporting_nanos) filter (where change.bucket = 'contraction' and change.day >= first_day.day), 0)
            as contraction_reporting,
        coalesce(sum(change.reporting_nanos) filter (where change.bucket = 'churn_voluntary' and change.day >= first_day.day), 0)
            as churn_voluntary_reporting,
        coalesce(sum(change.reporting_nanos) filter (where change.bucket = 'churn_involuntary' and change.day >= first_day.day), 0)
            as churn_involuntary_reporting,
        coalesce(sum(change.reporting_nanos) filter (where change.bucket = 'churn_price' and change.day >= first_day.day), 0)
            as churn_price_reporting,
        coalesce(sum(change.reporting_nanos) filter (where change.bucket = 'churn_product' and change.day >= first_day.day), 0)
            as churn_product_reporting,
        coalesce(sum(change.reporting_nanos) filter (where change.bucket = 'churn_refund' and change.day >= first_day.day), 0)
            as churn_refund_reporting,
        coalesce(sum(change.reporting_nanos) filter (where change.bucket = 'churn_other' and change.day >= first_day.day), 0)
            as churn_other_reporting,
        coalesce(sum(change.reporting_nanos) filter (where change.bucket = 'lapsed' and change.day >= first_day.day), 0)
            as lapsed_reporting,
        coalesce(sum(change.reporting_nanos) filter (where change.bucket = 'paused' and change.day >= first_day.day), 0)
            as paused_reporting,
        coalesce(sum(change.reporting_nanos) filter (where change.bucket = 'moved_out' and change.day >= first_day.day), 0)
            as moved_out_reporting,
        coalesce(sum(change.reporting_nanos) filter (where change.bucket = 'fx' and change.day >= first_day.day), 0)
            as fx_reporting
    from first_day
    cross join report_scope scope
    join mrr_daily change on change.day <= scope.through_date
    group by 1, 2, 3, 4, 5
),

-- What stands from a day on, until the next one that anything moves on.
levels as (
    select
        moved.*, sum(nanos) over line as closing, sum(nanos) over line - nanos + nanos_before as opening,
        report.half_even(sum(nanos) over line, 1000) as standing,
        sum(reporting_nanos) over line as closing_reporting,
        sum(reporting_nanos) over line - reporting_nanos + reporting_nanos_before as opening_reporting,
        report.half_even(sum(reporting_nanos) over line, 1000) as standing_reporting,
        (sum(unconverted) over line)::bigint as standing_unconverted,
        coalesce(lead(day) over line, scope.through_date + 1) as next_day
    from moved
    join report_scope scope on isfinite(scope.through_date)
    window line as (partition by app_id, store, product_id, currency order by day)
),

-- Where nothing of a row has a rate its figures in the reporting currency are NULL, not 0: opening 0 / 0 is no figure.
known as (
    select
        levels.*,
        case
            when (
                opening_reporting, closing_reporting, imported_reporting, moved_in_reporting, new_reporting,
                expansion_reporting, reactivation_reporting, recovery_reporting, contraction_reporting,
                churn_voluntary_reporting, churn_involuntary_reporting, churn_price_reporting, churn_product_reporting,
                churn_refund_reporting, churn_other_reporting, lapsed_reporting, paused_reporting, moved_out_reporting,
                fx_reporting
            ) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) then 1
        end as has_rate,
        case when standing_reporting <> 0 then 1 end as has_standing_rate
    from levels
)

select
    day, app_id, store, product_id, known.currency,
    report.half_even(opening, 1000),
    report.half_even(imported, 1000),
    report.half_even(moved_in, 1000),
    report.half_even(new, 1000),
    report.half_even(expansion, 1000),
    report.half_even(reactivation, 1000),
    report.half_even(recovery, 1000),
    report.half_even(contraction, 1000),
    report.half_even(churn_voluntary, 1000),
    report.half_even(churn_involuntary, 1000),
    report.half_even(churn_price, 1000),
    report.half_even(churn_product, 1000),
    report.half_even(churn_refund, 1000),
    report.half_even(churn_other, 1000),
    report.half_even(lapsed, 1000),
    report.half_even(paused, 1000),
    report.half_even(moved_out, 1000),
    0.000000,
    standing,
    report.half_even(opening_reporting * has_rate, 1000),
    report.half_even(imported_reporting * has_rate, 1000),
    report.half_even(moved_in_reporting * has_rate, 1000),
    report.half_even(new_reporting * has_rate, 1000),
    report.half_even(expansion_reporting * has_rate, 1000),
    report.half_even(reactivation_reporting * has_rate, 1000),
    report.half_even(recovery_reporting * has_rate, 1000),
    report.half_even(contraction_reporting * has_rate, 1000),
    report.half_even(churn_voluntary_reporting * has_rate, 1000),
    report.half_even(churn_involuntary_reporting * has_rate, 1000),
    report.half_even(churn_price_reporting * has_rate, 1000),
    report.half_even(churn_product_reporting * has_rate, 1000),
    report.half_even(churn_refund_reporting * has_rate, 1000),
    report.half_even(churn_other_reporting * has_rate, 1000),
    report.half_even(lapsed_reporting * has_rate, 1000),
    report.half_even(paused_reporting * has_rate, 1000),
    report.half_even(moved_out_reporting * has_rate, 1000),
    report.half_even(fx_reporting * has_rate, 1000),
    standing_reporting * has_rate,
    scope.reporting_currency,
    standing_unconverted
from known
cross join report_scope scope
where (
    opening, closing, imported, moved_in, new, expansion, reactivation, recovery, contraction, churn_voluntary,
    churn_involuntary, churn_price, churn_product, churn_refund, churn_other, lapsed, paused, moved_out,
    opening_reporting, closing_reporting, imported_reporting, moved_in_reporting, new_reporting, expansion_reporting,
    reactivation_reporting, recovery_reporting, contraction_reporting, churn_voluntary_reporting, churn_involuntary_reporting,
    churn_price_reporting, churn_product_reporting, churn_refund_reporting, churn_other_reporting, lapsed_reporting,
    paused_reporting, moved_out_reporting, fx_reporting
) <> (
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
)
union all
select
    day + number, app_id, store, product_id, known.currency,
    standing,
    0.000000, 0.000000, 0.000000, 0.000000, 0.000000, 0.000000, 0.000000, 0.000000, 0.000000, 0.000000, 0.000000, 0.000000,
    0.000000, 0.000000, 0.000000, 0.000000, 0.000000,
    standing,
    standing_reporting * has_standing_rate,
    0.000000 * has_standing_rate, 0.000000 * has_standing_rate, 0.000000 * has_standing_rate, 0.000000 * has_standing_rate,
    0.000000 * has_standing_rate, 0.000000 * has_standing_rate, 0.000000 * has_standing_rate, 0.000000 * has_standing_rate,
    0.000000 * has_standing_rate, 0.000000 * has_standing_rate, 0.000000 * has_standing_rate, 0.000000 * has_standing_rate,
    0.000000 * has_standing_rate, 0.000000 * has_standing_rate, 0.000000 * has_standing_rate, 0.000000 * has_standing_rate,
    0.000000 * has_standing_rate,
    standing_reporting * has_standing_rate,
    scope.reporting_currency,
    standing_unconverted
from known
cross join report_scope scope
cross join lateral generate_series(1, next_day - day - 1) number
where closing <> 0 or closing_reporting <> 0;
