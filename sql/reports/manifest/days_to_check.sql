-- The days whose totals the checks look at: those that figures moved on since the books were last found to close, and a
-- thirtieth of all (of more than a year's about twelve), another one each business date. Grain: one row.
-- $1 the seal up to which they close, $2 business date
with known as (
    select min(bound.first_day) as first_day, max(bound.last_day) as last_day
    from (
        select min(day) as first_day, max(day) as last_day from marts.revenue_daily
        union all
        select min(day), max(day) from marts.recognised_daily
        union all
        select min(day), max(day) from marts.mrr_in_force_daily
        union all
        select min(day), max(day) from marts.subscribers_daily
    ) bound
),

turn as (
    select known.first_day + number as day
    from known
    cross join lateral generate_series(0, known.last_day - known.first_day) number
    where (known.first_day + number - $2::date) % greatest(30, (known.last_day - known.first_day) / 12) = 0
)

select
    array(
        select moved.day from marts.moved_days moved where moved.seal > $1::bigint and moved.figures = 'money'
        union
        select turn.day from turn
        order by day
    ) as money_days,
    array(
        select moved.day from marts.moved_days moved where moved.seal > $1::bigint and moved.figures = 'periods'
        union
        select turn.day from turn
        order by day
    ) as period_days
