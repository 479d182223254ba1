-- Proves that the MRR bridge closes each day with the value of the paid periods in force, whatever its movements say: the
-- periods that began less those that ended, exactly.
-- Grain: one row per day, app, product and currency that differs; at most 20, row_count says how many.
-- $1 seal, $2 time zone
with pieces as materialized (
    select * from report.mrr_pieces_as_of($1::bigint) where gross_units is not null
),

steps as (
    select
        report.day_of(step.at, piece.store, $2::text) as day, piece.app_id, piece.store, piece.product_id, piece.currency,
        sum(step.units) as units, max(piece.scale) as scale
    from pieces piece
    cross join lateral (
        values (piece.starts_at, piece.gross_units), (piece.ends_at, -piece.gross_units)
    ) step (at, units)
    group by 1, piece.app_id, piece.store, piece.product_id, piece.currency
),

in_force as (
    select
        day, app_id, store, product_id, currency, scale,
        sum(units) over (partition by app_id, store, product_id, currency order by day) as units,
        lead(day) over (partition by app_id, store, product_id, currency order by day) as next_day
    from steps
),

bridge as (
    select date, app_id, store, product_id, currency, closing
    from report.mrr_bridge_as_of(
        $1::bigint, '-infinity', (select business_date from subledger.runs where seal = $1::bigint), $2::text
    )
),

-- Days of the bridge, and the days on which the periods change.
compared as (
    select
        concat_ws(' ', bridge.date::text, bridge.app_id, bridge.store, bridge.product_id, bridge.currency) as subject,
        coalesce(report.half_even(in_force.units, in_force.scale), 0) as expected, bridge.closing as found
    from bridge
    left join in_force
        on in_force.app_id = bridge.app_id
        and in_force.store = bridge.store
        and in_force.product_id = bridge.product_id
        and in_force.currency = bridge.currency
        and in_force.day <= bridge.date
        and (in_force.next_day > bridge.date or in_force.next_day is null)
    union all
    select
        concat_ws(' ', in_force.day::text, in_force.app_id, in_force.store, in_force.product_id, in_force.currency),
        report.half_even(in_force.units, in_force.scale), 0
    from in_force
    left join bridge
        on bridge.date = in_force.day
        and bridge.app_id = in_force.app_id
        and bridge.store = in_force.store
        and bridge.product_id = in_force.product_id
        and bridge.currency = in_force.currency
    where bridge.date is null
        and in_force.day <= (select business_date from subledger.runs where seal = $1::bigint)
)

select subject, expected::text as expected, found::text as found, count(*) over () as row_count
from compared
where expected <> found
order by subject
limit 20
