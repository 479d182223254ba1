-- Changes: which figures of days that were already reported have moved since the last issue, and which rows did it.
-- Grain: one row per figure, day, app and product that moved. The last issue before a seal is the last night or report
-- sealed before it; its business date ends the days compared. Nothing has moved before there was an issue.
--
-- Figures: gross and refunded by currency; churned, by reason, and lapsed; and every movement of the MRR bridge by
-- currency. Openings, closings and rates follow from these.
drop view if exists report.changes;
drop function if exists report.changes_as_of(bigint, date, date, text);
create function report.changes_as_of(seal bigint, from_date date, through_date date, time_zone text) returns table (
    figure text, date date, app_id text, product_id text, before numeric, after numeric, transaction_ids text
)
language sql stable
as $$
    with issue as materialized (
        select run.seal, run.business_date
        from subledger.runs run
        where run.seal < changes_as_of.seal and run.job in ('nightly', 'report')
        order by run.seal desc
        limit 1
    ),

    -- Money: entries learned since, of days reported before.
    entries as materialized (
        select
            case when entry.kind in ('charge', 'correction') then 'gross ' else 'refunded ' end || entry.currency
                as figure,
            report.day_of(entry.occurred_at, sold.store, changes_as_of.time_zone) as day, sold.app_id, sold.product_id,
            entry.transaction_id,
            case when entry.kind in ('charge', 'correction') then 1 else -1 end * entry.amount_micros as micros,
            run.seal > issue.seal as is_news
        from issue
        cross join lateral subledger.ledger_as_of(changes_as_of.seal) entry
        join subledger.runs run on run.run_id = entry.run_id
        join subledger.transactions_as_of(changes_as_of.seal) sold
            on sold.subscription_key = entry.subscription_key
            and sold.transaction_id = entry.transaction_id
            and sold.product_id = entry.product_id
    ),

    money as (
        select
            figure, day, app_id, product_id,
            coalesce(sum(micros) filter (where not is_news), 0) * 0.000001 as before,
            sum(micros) * 0.000001 as after,
            array_agg(distinct transaction_id) filter (where is_news) as transaction_ids
        from entries
        group by figure, day, app_id, product_id
        having bool_or(is_news)
    ),

    -- Movements of MRR, and ends, as the last issue knew them and as they are known now.
    movements as (
        select
            movement.day, movement.app_id, movement.product_id, movement.transaction_id, movement.lineage_key,
            'mrr ' || movement.bucket || ' ' || movement.currency as figure, movement.units / movement.scale as exact,
            movement.units, movement.scale, side.is_now
        from issue
        cross join lateral (values (issue.seal, false), (changes_as_of.seal, true)) side (seal, is_now)
        cross join lateral report.mrr_movements_as_of(side.seal, changes_as_of.time_zone) movement
        union all
        select
            report.day_of(piece.ends_at, piece.store, changes_as_of.time_zone), piece.app_id, piece.product_id,
            piece.transaction_id, piece.lineage_key,
            case when piece.outcome = 'lapsed' then 'lapsed' else 'churned ' || piece.outcome end, 1, 1, 1,
            side.is_now
        from issue
        cross join lateral (values (issue.seal, false), (changes_as_of.seal, true)) side (seal, is_now)
        cross join lateral report.paid_segments_as_of(side.seal) piece
        where piece.is_last and piece.outcome not in ('open', 'paused', 'free', 'replaced')
    ),

    rows_of as (
        select
            figure, day, app_id, product_id, lineage_key, transaction_id,
            count(*) filter (where is_now) as now_rows,
            coalesce(sum(exact) filter (where not is_now), 0) as before,
            coalesce(sum(exact) filter (where is_now), 0) as after
        from movements
        group by figure, day, app_id, product_id, lineage_key, transaction_id
    ),

    sides as (
        select
            figure, day, app_id, product_id,
            max(scale) filter (where not is_now) as scale_before, max(scale) filter (where is_now) as scale_after,
            coalesce(sum(units) filter (where not is_now), 0) as units_before,
            coalesce(sum(units) filter (where is_now), 0) as units_after,
            figure like 'mrr%' as is_money
        from movements
        group by figure, day, app_id, product_id
    ),

    moved as (
        select
            sides.figure, sides.day, sides.app_id, sides.product_id,
            case
                when sides.is_money then report.half_even(sides.units_before, coalesce(sides.scale_before, 1))
                else sides.units_before
            end as before,
            case
                when sides.is_money then report.half_even(sides.units_after, coalesce(sides.scale_after, 1))
                else sides.units_after
            end as after,
            (
                select array_agg(distinct rows_of.transaction_id)
                from rows_of
                where rows_of.figure = sides.figure
                    and rows_of.day = sides.day
                    and rows_of.app_id = sides.app_id
                    and rows_of.product_id = sides.product_id
                    and abs(rows_of.before - rows_of.after) > 0.000001
            ) as transaction_ids
        from sides
        where sides.units_before * coalesce(sides.scale_after, 1) <> sides.units_after * coalesce(sides.scale_before, 1)
    )

    select
        news.figure, news.day, news.app_id, news.product_id, news.before, news.after,
        array_to_string(news.transaction_ids[:100], ' ')
            || case
                when cardinality(news.transaction_ids) > 100
                    then ' and ' || cardinality(news.transaction_ids) - 100 || ' more'
                else ''
            end
    from issue
    cross join (select * from money union all select * from moved) news
    where news.before <> news.after
        and news.day <= issue.business_date
        and news.day >= changes_as_of.from_date
        and news.day <= changes_as_of.through_date
$$;

create view report.changes as
select report.*
from subledger.newest_seal() newest
cross join lateral report.changes_as_of(newest.seal, '-infinity', newest.business_date, 'UTC') report;

comment on function report.changes_as_of is 'Figures of days already reported that moved since the last issue, and the transactions that moved them';
comment on view report.changes is 'What moved since the last issue, as of the newest seal, in UTC';
comment on column report.changes.figure is 'gross, refunded and mrr movements with their currency; churned with its reason; lapsed';
comment on column report.changes.date is 'The day whose figure moved';
comment on column report.changes.app_id is 'The owner''s own name of the app';
comment on column report.changes.product_id is 'Product of the figure';
comment on column report.changes.before is 'The figure as the last issue knew it; refunded positive, outflows of MRR negative';
comment on column report.changes.after is 'The figure as it is known now';
comment on column report.changes.transaction_ids is 'The transactions that moved it, at most a hundred by name';
