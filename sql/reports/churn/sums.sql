-- Who began and ceased to pay by day.
-- Grain: one row per day, app, store, product and event. opened: what the day's opening gains over that of the day before,
-- less what it loses; an outcome (voluntary, lapsed and so on): lineages of the opening that left so; brief and an outcome:
-- those that began to pay on that same day.
drop table if exists report.churn_sums cascade;
create table report.churn_sums (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    event text not null,
    lineages bigint not null,
    primary key (day, app_id, store, product_id, event)
);

create or replace function report.churn_sums_as_of(seal bigint, subscriptions bigint[], time_zone text)
returns setof report.churn_sums
language sql stable
set enable_nestloop = off
set jit = off
as $$
    with pieces as (
        select
            piece.app_id, piece.store, piece.product_id, piece.is_last, piece.outcome,
            report.day_of(piece.starts_at, piece.store, churn_sums_as_of.time_zone) as start_day,
            report.day_of(piece.ends_at, piece.store, churn_sums_as_of.time_zone) as end_day,
            report.day_of(piece.segment_starts_at, piece.store, churn_sums_as_of.time_zone) as segment_start_day
        from report.paid_segments_as_of(churn_sums_as_of.seal, churn_sums_as_of.subscriptions) piece
    )

    select event.day, pieces.app_id, pieces.store, pieces.product_id, event.name, sum(event.change)::bigint
    from pieces
    cross join lateral (
        values
            (start_day + 1, 'opened', 1),
            (end_day + 1, 'opened', -1),
            (
                end_day, case when segment_start_day = end_day then 'brief ' else '' end || outcome,
                case when is_last then 1 end
            )
    ) event (day, name, change)
    where event.change is not null and isfinite(event.day)
    group by 1, 2, 3, 4, 5
    having sum(event.change) <> 0
$$;

comment on table report.churn_sums is 'Kept sums of who began and ceased to pay by day, which the churn report is made from';
comment on function report.churn_sums_as_of is 'The same sums, of some subscriptions or all, as of a seal';

call report.make_reader('churn');
