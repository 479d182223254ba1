-- rests on: churn_daily, figure_parts, mrr_daily, revenue_daily, marts.nearest, subledger.report_issues
-- Changes: which figures of days that were already reported have moved since the last issue, and which rows did it.
-- Grain: one row per figure, day, app and product that moved. The last issue before a seal is the newest report that had been
-- issued when that seal was given; its business date ends the days compared. Nothing has moved before there was an issue.
--
-- Figures: gross and refunded by currency; churned, by reason, and lapsed; and every movement of the MRR bridge by
-- currency. Openings, closings and rates follow from these.
--
-- Only what was written since the last issue can have moved a figure, so that only its lineages are looked at (figure_parts).
-- What a figure comes to now is taken from the days' tables; what it came to then is the same less what these lineages make of
-- it now, and with what they made of it then.
create view changes (figure, date, app_id, product_id, before, after, transaction_ids) as
with issue as materialized (
    select issued.seal, issued.business_date
    from subledger.report_issues issued
    join report_scope scope on issued.last_seal < scope.seal
    order by issued.seal desc
    limit 1
),

parts as materialized (
    select part.*
    from figure_parts part
    join issue on part.day <= issue.business_date
    join report_scope scope on part.day >= scope.from_date and part.day <= scope.through_date
),

-- Which rows did it: those whose part of the figure is not what it was; of money, those that brought an entry.
moved as materialized (
    select
        figure, day, app_id, product_id, sum(after - before) as difference,
        array_agg(distinct transaction_id) filter (where before <> after or has_new_entry) as transaction_ids
    from parts
    group by figure, day, app_id, product_id
    having bool_or(before <> after or has_new_entry)
),

totals as (
    select
        case when is_refund then 'refunded ' else 'gross ' end || currency as figure, day, app_id, product_id,
        sum(case when is_refund then -micros else micros end) * 1000 as amount
    from revenue_daily
    where (day, app_id, product_id) in (select moved.day, moved.app_id, moved.product_id from moved)
    group by 1, 2, 3, 4
    union all
    select 'mrr ' || bucket || ' ' || currency, day, app_id, product_id, sum(nanos)
    from mrr_daily
    where (day, app_id, product_id) in (select moved.day, moved.app_id, moved.product_id from moved)
    group by 1, 2, 3, 4
    union all
    select
        case when replace(event, 'brief ', '') = 'lapsed' then '' else 'churned ' end || replace(event, 'brief ', ''),
        day, app_id, product_id, sum(lineages)
    from churn_daily
    where event <> 'opened'
        and (day, app_id, product_id) in (select moved.day, moved.app_id, moved.product_id from moved)
    group by 1, 2, 3, 4
),

compared as (
    select
        moved.*, unit.amount as unit,
        marts.nearest(coalesce(totals.amount, 0) - moved.difference, unit.parts) * unit.amount as before,
        marts.nearest(coalesce(totals.amount, 0), unit.parts) * unit.amount as after
    from moved
    left join totals using (figure, day, app_id, product_id)
    -- Lineages are whole; money is printed in micros, which are 1,000 nanos.
    cross join lateral (
        select
            case when figure like 'churned %' or figure = 'lapsed' then 1 else 1000 end as parts,
            case when figure like 'churned %' or figure = 'lapsed' then 1 else 0.000001 end as amount
    ) unit
)

select
    figure, day, app_id, product_id, before, after,
    array_to_string(transaction_ids[:100], ' ')
        || case
            when cardinality(transaction_ids) > 100 then ' and ' || cardinality(transaction_ids) - 100 || ' more'
            else ''
        end
from compared
where before <> after;
