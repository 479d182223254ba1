-- Proves that the products of the MRR bridge add up to the whole: on the last day, to the value of all paid periods in
-- force that have a known price, within the rounding of each product's figure; and that no lineage stands in two places.
-- Grain: one row per app and currency that differs; at most 20, row_count says how many. $1 seal, $2 time zone
with last_day as (
    select business_date from subledger.runs where seal = $1::bigint
),

in_force as (
    select
        piece.app_id, piece.currency, report.half_even(sum(piece.gross_units), max(piece.scale)) as total,
        count(*) as periods, count(distinct piece.lineage_key) as lineages
    from report.mrr_pieces_as_of($1::bigint) piece
    cross join last_day
    where piece.gross_units is not null
        and report.day_of(piece.starts_at, piece.store, $2::text) <= last_day.business_date
        and report.day_of(piece.ends_at, piece.store, $2::text) > last_day.business_date
    group by piece.app_id, piece.currency
),

reported as (
    select bridge.app_id, bridge.currency, sum(bridge.closing) as total, count(*) as products
    from last_day
    cross join lateral report.mrr_bridge_as_of(
        $1::bigint, last_day.business_date, last_day.business_date, $2::text
    ) bridge
    group by bridge.app_id, bridge.currency
),

compared as (
    select
        concat_ws(
            ' ', coalesce(in_force.app_id, reported.app_id), coalesce(in_force.currency, reported.currency)
        ) as subject,
        coalesce(in_force.total, 0) as expected, coalesce(reported.total, 0) as found,
        coalesce(in_force.periods, 0) as periods, coalesce(in_force.lineages, 0) as lineages,
        coalesce(reported.products, 0) as products
    from in_force
    full join reported on reported.app_id = in_force.app_id and reported.currency = in_force.currency
)

select
    subject,
    expected || ' of ' || lineages || ' lineages' as expected,
    found || ' of ' || periods || ' periods' as found,
    count(*) over () as row_count
from compared
where abs(expected - found) > 0.000001 * (products + 1) or periods <> lineages
order by subject
limit 20
