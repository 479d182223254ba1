-- rests on: mrr_daily, marts.half_even, marts.nearest
-- The MRR bridge: what each day opened with, every movement of it, and what it closed with.
-- opening + every movement (sql/movement.columns) = closing; outflows are negative. Each change is in exactly one movement.
-- Grain: one row per day, app, store, product and currency with any figure other than zero, from the first movement on.
--
-- Sums are exact; each printed figure is rounded once, on its own, half to even. Openings are running sums of the
-- movements, never a join of days and subscriptions. fx is zero in the original currency. In the reporting currency each paid
-- period has the rate of its own purchase: there fx is what the same amount is worth more or less from one period to the next.
-- When the store gives up, what was under lapsed becomes churn_involuntary of that same day.
create view mrr_bridge (
    date, app_id, store, product_id, currency, opening, {movement}, closing, opening_reporting,
{each movement}
    {movement}_reporting,
{end}
    closing_reporting, reporting_currency, unconverted
) as
with first_day as (
    -- Without any movement there is no first day, and a series from -infinity would never end.
    select case when count(*) > 0 then greatest(scope.from_date, min(change.day)) end as day
    from report_scope scope
    join mrr_daily change on change.day <= scope.through_date and isfinite(scope.through_date)
    group by scope.from_date
),

-- What moved before the first day is the first opening.
movements as (
    select
        greatest(change.day, first_day.day) as day, change.app_id, change.store, change.product_id, change.currency,
        case when change.day < first_day.day then 'opening' else change.bucket end as movement,
        sum(change.nanos) as nanos, sum(change.reporting_nanos) as reporting_nanos, sum(change.unconverted) as unconverted
    from first_day
    cross join report_scope scope
    join mrr_daily change on change.day <= scope.through_date
    group by 1, 2, 3, 4, 5, 6
),

-- What a day that anything moves on opens and closes with, and the next such day.
levels as (
    select
        moved.*,
        closing - nanos as opening, closing_reporting - reporting_nanos as opening_reporting,
        marts.half_even(closing, 1000) as closing_amount, marts.half_even(closing_reporting, 1000) as closing_reporting_amount
    from (
        select
            day, app_id, store, product_id, currency,
            coalesce(sum(nanos) filter (where movement <> 'opening'), 0) as nanos,
            coalesce(sum(reporting_nanos) filter (where movement <> 'opening'), 0) as reporting_nanos,
            sum(sum(nanos)) over line as closing,
            sum(sum(reporting_nanos)) over line as closing_reporting,
            (sum(sum(unconverted)) over line)::bigint as unconverted,
            coalesce(lead(day) over line, scope.through_date + 1) as next_day
        from movements
        cross join report_scope scope
        group by day, app_id, store, product_id, currency, scope.through_date
        window line as (partition by app_id, store, product_id, currency order by day)
    ) moved
),

figures as (
    select day, app_id, store, product_id, currency, movement as figure, nanos, reporting_nanos, null::bigint as unconverted
    from movements
    where movement <> 'opening'
    union all
    select
        level.day, level.app_id, level.store, level.product_id, level.currency, figure.name, figure.nanos, figure.reporting_nanos,
        level.unconverted
    from levels level
    cross join lateral (
        values
            ('opening', level.opening, level.opening_reporting),
            ('closing', level.closing, level.closing_reporting)
    ) figure (name, nanos, reporting_nanos)
),

pivoted as (
    select
        day, app_id, store, product_id, currency,
        sum(nanos) filter (where figure = 'opening') as opening,
{each movement}
        coalesce(sum(nanos) filter (where figure = '{movement}'), 0) as {movement},
{end}
        sum(nanos) filter (where figure = 'closing') as closing,
        sum(reporting_nanos) filter (where figure = 'opening') as opening_reporting,
{each movement}
        coalesce(sum(reporting_nanos) filter (where figure = '{movement}'), 0) as {movement}_reporting,
{end}
        sum(reporting_nanos) filter (where figure = 'closing') as closing_reporting,
        -- Where nothing of a row has a rate its figures in the reporting currency are NULL, not 0: opening 0 / 0 is no figure.
        case when bool_or(reporting_nanos <> 0) then 1 end as has_rate,
        max(unconverted) as unconverted
    from figures
    group by day, app_id, store, product_id, currency
    having bool_or(nanos <> 0 or reporting_nanos <> 0)
)

select
    day, app_id, store, product_id, pivoted.currency,
    marts.half_even(opening, 1000),
{each movement}
    marts.half_even({movement}, 1000),
{end}
    marts.half_even(closing, 1000),
    marts.half_even(opening_reporting * has_rate, 1000),
{each movement}
    marts.half_even({movement}_reporting * has_rate, 1000),
{end}
    marts.half_even(closing_reporting * has_rate, 1000),
    scope.reporting_currency,
    unconverted
from pivoted
cross join report_scope scope
union all
-- Days on which nothing moves.
select
    day + number, app_id, store, product_id, levels.currency,
    closing_amount,
{each movement}
    0.000000,
{end}
    closing_amount,
    closing_reporting_amount * has_rate.factor,
{each movement}
    0.000000 * has_rate.factor,
{end}
    closing_reporting_amount * has_rate.factor,
    scope.reporting_currency,
    unconverted
from levels
cross join report_scope scope
cross join lateral (select case when closing_reporting_amount <> 0 then 1 end as factor) has_rate
cross join lateral generate_series(1, next_day - day - 1) number
where closing <> 0 or closing_reporting <> 0;
