-- Changes: which figures of days that were already reported have moved since the last issue, and which rows did it.
-- Grain: one row per figure, day, app and product that moved. The last issue before a seal is the newest report that had been
-- issued when that seal was given; its business date ends the days compared. Nothing has moved before there was an issue.
--
-- Figures: gross and refunded by currency; churned, by reason, and lapsed; and every movement of the MRR bridge by
-- currency. Openings, closings and rates follow from these.
--
-- Only what was written since the last issue can have moved a figure, so that only its lineages are looked at, as both seals
-- knew them. What a figure comes to now is taken from the sums (report.NAME_sums); what it came to then is the same less
-- what these lineages make of it now, and with what they made of it then.

-- What some lineages put into the figures, as of a seal. Grain: one row per movement; numerator ÷ denominator in micros, or
-- lineages. run_seal: the seal that brought an entry of money; NULL for what is derived.
drop function if exists report.figures_as_of(bigint, bigint[], text);
create function report.figures_as_of(seal bigint, subscriptions bigint[], time_zone text) returns table (
    figure text, day date, app_id text, product_id text, numerator numeric, denominator numeric, transaction_id text,
    run_seal bigint
)
language sql stable
set enable_nestloop = off
set jit = off
as $$
    select
        case when movement.kind in ('charge', 'correction') then 'gross ' else 'refunded ' end || movement.currency,
        movement.day,
        movement.app_id, movement.product_id,
        case when movement.kind in ('charge', 'correction') then 1 else -1 end * movement.amount_micros, 1,
        movement.transaction_id, run.seal
    from report.movements_as_of(figures_as_of.seal, figures_as_of.time_zone, figures_as_of.subscriptions) movement
    join subledger.ledger_entries entry
        on entry.subscription_key = movement.subscription_key
        and entry.transaction_id = movement.transaction_id
        and entry.product_id = movement.sold_product_id
        and entry.seq = movement.seq
    join subledger.runs run on run.run_id = entry.run_id
    union all
    select
        'mrr ' || bucket || ' ' || currency, day, app_id, product_id, units, scale, transaction_id, null
    from report.mrr_movements_as_of(figures_as_of.seal, figures_as_of.time_zone, figures_as_of.subscriptions)
    union all
    select
        case when outcome = 'lapsed' then 'lapsed' else 'churned ' || outcome end,
        report.day_of(ends_at, store, figures_as_of.time_zone), app_id, product_id, 1, 1, transaction_id, null
    from report.paid_segments_as_of(figures_as_of.seal, figures_as_of.subscriptions)
    where is_last and outcome not in ('open', 'paused', 'free', 'replaced')
$$;

drop view if exists report.changes;
drop function if exists report.changes_as_of(bigint, date, date, text);
create function report.changes_as_of(seal bigint, from_date date, through_date date, time_zone text) returns table (
    figure text, date date, app_id text, product_id text, before numeric, after numeric, transaction_ids text
)
language sql stable
set jit = off
as $$
    with issue as materialized (
        select
            newest.seal, newest.business_date, report.reached_subscriptions(newest.seal, changes_as_of.seal) as reached
        from (
            select issued.seal, issued.business_date
            from subledger.report_issues issued
            where issued.last_seal < changes_as_of.seal
            order by issued.seal desc
            limit 1
        ) newest
    ),

    touched as materialized (
        select part.*, side.is_now
        from issue
        cross join lateral (values (issue.seal, false), (changes_as_of.seal, true)) side (seal, is_now)
        cross join lateral report.figures_as_of(side.seal, issue.reached, changes_as_of.time_zone) part
        where part.day <= issue.business_date
            and part.day >= changes_as_of.from_date
            and part.day <= changes_as_of.through_date
    ),

    -- Which rows did it: those whose part of the figure is not what it was; of money, those that brought an entry.
    rows_of as (
        select figure, day, app_id, product_id, transaction_id
        from touched
        cross join issue
        group by figure, day, app_id, product_id, transaction_id
        having coalesce(bool_or(run_seal > issue.seal), false)
            or abs(sum(case when is_now then numerator else -numerator end / denominator)) > 0.000001
    ),

    moved as materialized (
        select figure, day, app_id, product_id, array_agg(distinct transaction_id) as transaction_ids
        from rows_of
        group by figure, day, app_id, product_id
    ),

    totals as (
        select
            case when is_refund then 'refunded ' else 'gross ' end || currency as figure, day, app_id, product_id,
            case when is_refund then -micros else micros end as numerator, 1::numeric as denominator
        from report.revenue_sums
        where report.is_kept(changes_as_of.seal, changes_as_of.time_zone)
        union all
        select 'mrr ' || bucket || ' ' || currency, day, app_id, product_id, units, denominator
        from report.mrr_bridge_sums
        where report.is_kept(changes_as_of.seal, changes_as_of.time_zone)
        union all
        select
            case when replace(event, 'brief ', '') = 'lapsed' then '' else 'churned ' end || replace(event, 'brief ', ''),
            day, app_id, product_id, lineages, 1
        from report.churn_sums
        where report.is_kept(changes_as_of.seal, changes_as_of.time_zone) and event <> 'opened'
        union all
        select figure, day, app_id, product_id, numerator, denominator
        from report.figures_as_of(changes_as_of.seal, null, changes_as_of.time_zone)
        where not report.is_kept(changes_as_of.seal, changes_as_of.time_zone)
            and exists (select from moved)
    ),

    parts as (
        select totals.*, true as is_total, true as is_before
        from totals
        where (totals.figure, totals.day, totals.app_id, totals.product_id) in (
            select moved.figure, moved.day, moved.app_id, moved.product_id from moved
        )
        union all
        select
            touched.figure, touched.day, touched.app_id, touched.product_id,
            case when touched.is_now then -touched.numerator else touched.numerator end, touched.denominator, false, true
        from touched
    ),

    compared as (
        select
            figure, day, app_id, product_id,
            coalesce(report.nearest_whole(report.sum_of_fractions(numerator, denominator)), 0)
                * case when figure like 'churned %' or figure = 'lapsed' then 1 else 0.000001 end as before,
            coalesce(report.nearest_whole(report.sum_of_fractions(numerator, denominator) filter (where is_total)), 0)
                * case when figure like 'churned %' or figure = 'lapsed' then 1 else 0.000001 end as after
        from parts
        group by figure, day, app_id, product_id
    )

    select
        moved.figure, moved.day, moved.app_id, moved.product_id, compared.before, compared.after,
        array_to_string(moved.transaction_ids[:100], ' ')
            || case
                when cardinality(moved.transaction_ids) > 100
                    then ' and ' || cardinality(moved.transaction_ids) - 100 || ' more'
                else ''
            end
    from moved
    join compared
        on compared.figure = moved.figure
        and compared.day = moved.day
        and compared.app_id = moved.app_id
        and compared.product_id = moved.product_id
    where compared.before <> compared.after
$$;

create view report.changes as
select report.*
from subledger.newest_seal() newest
cross join lateral report.changes_as_of(newest.seal, '-infinity', newest.business_date, 'UTC') report;

comment on function report.figures_as_of is 'What some lineages put into the figures whose changes are told, as of a seal';
comment on function report.changes_as_of is 'Figures of days already reported that moved since the last issue, and the transactions that moved them';
comment on view report.changes is 'What moved since the last issue, as of the newest seal, in UTC';
comment on column report.changes.figure is 'gross, refunded and mrr movements with their currency; churned with its reason; lapsed';
comment on column report.changes.date is 'The day whose figure moved';
comment on column report.changes.app_id is 'The owner''s own name of the app';
comment on column report.changes.product_id is 'Product of the figure';
comment on column report.changes.before is 'The figure as the last issue knew it; refunded positive, outflows of MRR negative';
comment on column report.changes.after is 'The figure as it is known now';
comment on column report.changes.transaction_ids is 'The transactions that moved it, at most a hundred by name';
