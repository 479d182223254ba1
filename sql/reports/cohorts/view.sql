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
set jit = off
as $$
    with sums as materialized (
        select * from report.cohorts_sums_at(cohorts_as_of.seal, cohorts_as_of.time_zone)
    ),

    common as materialized (
        select report.least_common_multiple(lengths.denominator) as scale
        from (select distinct denominator from sums) lengths
    ),

    monthly as materialized (
        select
            date_trunc('month', sums.cohort_day::timestamp)::date as month, sums.app_id, sums.store,
            sums.month_number as number, nullif(sums.currency, '') as currency,
            sum(sums.lineages)::bigint as paid,
            sum(sums.units * div(common.scale, sums.denominator)) filter (where sums.currency <> '') as units
        from sums
        cross join common
        where sums.cohort_day <= cohorts_as_of.through_date
        group by 1, 2, 3, 4, 5
    ),

    paying as materialized (
        select month, app_id, store, number, sum(paid)::bigint as paid, sum(units) as units
        from monthly
        group by month, app_id, store, number
    ),

    currencies as (
        select month, app_id, store, count(distinct currency) = 1 as is_one
        from monthly
        group by month, app_id, store
    ),

    sizes as (
        select month, app_id, store, paid as lineages from paying where number = 0
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
