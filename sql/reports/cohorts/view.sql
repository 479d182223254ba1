-- Cohorts: of the lineages that first paid in a month, how many paid in each month of their lives since.
-- Grain: one row per calendar month of the first payment, app, store and month number from 0 on.
--
-- Month N of a lineage runs from N to N + 1 calendar months after its first payment. It is paid when a paid period, to its
-- own end, without a grace, lies in it by more than the 26 hours that stores add and renewals drift. A cell is blank until
-- every lineage of the cohort has reached its month N. Imported lineages, whose first payment nobody knows, have no cohort.
drop view if exists report.cohorts;
drop function if exists report.cohorts_as_of(bigint, date, date, text);
create function report.cohorts_as_of(seal bigint, from_date date, through_date date, time_zone text) returns table (
    cohort_month text, app_id text, store text, month_number bigint, cohort_size bigint, paid bigint, retention numeric,
    revenue_retention numeric
)
language sql stable
as $$
    with pieces as materialized (
        select
            piece.lineage_key, piece.app_id, piece.store, piece.currency, piece.gross_units as units, piece.starts_at,
            piece.entry, paid.declared_end
        from report.mrr_pieces_as_of(cohorts_as_of.seal) piece
        join report.paid_segments_as_of(cohorts_as_of.seal) paid
            on paid.subscription_key = piece.subscription_key
            and paid.transaction_id = piece.transaction_id
            and paid.product_id = piece.product_id
    ),

    lineages as (
        select
            lineage_key, app_id, store,
            starts_at at time zone report.zone_of(store, cohorts_as_of.time_zone) as first_paid,
            date_trunc('month', report.day_of(starts_at, store, cohorts_as_of.time_zone)::timestamp)::date as month
        from pieces
        where entry = 'new' and report.day_of(starts_at, store, cohorts_as_of.time_zone) <= cohorts_as_of.through_date
    ),

    -- The months of its lineage's life that a period lies in.
    lived as (
        select
            lineage.lineage_key, lineage.app_id, lineage.store, lineage.month, piece.currency, piece.units,
            piece.starts_at, number
        from lineages lineage
        join pieces piece on piece.lineage_key = lineage.lineage_key
        cross join lateral (
            select
                lineage.first_paid,
                least(piece.starts_at + interval '26 hours', piece.declared_end)
                    at time zone report.zone_of(lineage.store, cohorts_as_of.time_zone) as from_time,
                greatest(piece.declared_end - interval '26 hours', piece.starts_at)
                    at time zone report.zone_of(lineage.store, cohorts_as_of.time_zone) as through_time
        ) span
        cross join lateral generate_series(
            report.months_between(span.first_paid, span.from_time),
            report.months_between(span.first_paid, span.through_time)
        ) number
    ),

    latest as (
        select distinct on (lineage_key, number) *
        from lived
        order by lineage_key, number, starts_at desc
    ),

    paying as (
        select
            month, app_id, store, number, count(*) as paid, sum(units) as units
        from latest
        group by month, app_id, store, number
    ),

    currencies as (
        select month, app_id, store, count(distinct currency) = 1 as is_one
        from latest
        group by month, app_id, store
    ),

    sizes as (
        select month, app_id, store, count(*) as lineages from lineages group by month, app_id, store
    ),

    cells as (
        select
            size.month, size.app_id, size.store, size.lineages, number::bigint as number,
            size.month + make_interval(months => number::integer + 1)
                <= cohorts_as_of.through_date::timestamp + interval '1 day' as is_matured
        from sizes size
        cross join lateral generate_series(
            0, report.months_between(size.month::timestamp, cohorts_as_of.through_date::timestamp)
        ) number
        where isfinite(cohorts_as_of.through_date)
            and size.month >= date_trunc('month', cohorts_as_of.from_date::timestamp)
    )

    select
        to_char(cell.month, 'YYYY-MM'), cell.app_id, cell.store, cell.number, cell.lineages,
        case when cell.is_matured then coalesce(paying.paid, 0) end,
        case when cell.is_matured then report.share(coalesce(paying.paid, 0), cell.lineages) end,
        case
            when cell.is_matured and currencies.is_one then report.ratio(coalesce(paying.units, 0), at_first.units)
        end
    from cells cell
    left join paying
        on paying.month = cell.month
        and paying.app_id = cell.app_id
        and paying.store = cell.store
        and paying.number = cell.number
    left join paying at_first
        on at_first.month = cell.month
        and at_first.app_id = cell.app_id
        and at_first.store = cell.store
        and at_first.number = 0
    left join currencies
        on currencies.month = cell.month and currencies.app_id = cell.app_id and currencies.store = cell.store
$$;

create view report.cohorts as
select report.*
from subledger.newest_seal() newest
cross join lateral report.cohorts_as_of(newest.seal, '-infinity', newest.business_date, 'UTC') report;

comment on function report.cohorts_as_of is 'Cohorts by month of first payment: lineages paid in month N of their lives ÷ all lineages of the cohort';
comment on view report.cohorts is 'Cohort retention, as of the newest seal, in UTC';
comment on column report.cohorts.cohort_month is 'Calendar month of the lineages'' first payments, yyyy-mm';
comment on column report.cohorts.app_id is 'The owner''s own name of the app';
comment on column report.cohorts.store is 'app_store or google_play';
comment on column report.cohorts.month_number is 'N: from N to N + 1 calendar months after each lineage''s first payment';
comment on column report.cohorts.cohort_size is 'All lineages that first paid in the cohort month, those who left since included';
comment on column report.cohorts.paid is 'Of them, those with a paid period in month N, grace not counted; empty until all have reached it';
comment on column report.cohorts.retention is 'paid ÷ cohort_size, 0 to 1; empty until all have reached month N';
comment on column report.cohorts.revenue_retention is 'MRR of the latest paid periods of month N ÷ the same of month 0; empty where a cohort pays in several currencies or no price is known';
