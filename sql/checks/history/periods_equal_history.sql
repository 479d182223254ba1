-- Proves that nights have left nothing out: the stored periods of the lineages at hand (those written of, and the date's
-- sample) are those that a rebuild from the history makes (new_*). The other checks of MRR, churn and subscribers rest on them.
-- Grain: one row per table, lineage and transaction that differs; at most 20, row_count says how many.
with stored_periods as (
    select stored.* from subscription_periods stored join pg_temp.marked_lineages on marked_lineages.key = stored.lineage_key
),

stored_paid_periods as (
    select stored.* from paid_periods stored join pg_temp.marked_lineages on marked_lineages.key = stored.lineage_key
),

differences as (
    select 'period' as kind, lineage_key, transaction_id, 1 as rebuilt_rows, 0 as stored_rows
    from (select * from pg_temp.new_subscription_periods except all select * from stored_periods) missing
    union all
    select 'period', lineage_key, transaction_id, 0, 1
    from (select * from stored_periods except all select * from pg_temp.new_subscription_periods) surplus
    union all
    select 'paid period', lineage_key, transaction_id, 1, 0
    from (select * from pg_temp.new_paid_periods except all select * from stored_paid_periods) missing
    union all
    select 'paid period', lineage_key, transaction_id, 0, 1
    from (select * from stored_paid_periods except all select * from pg_temp.new_paid_periods) surplus
)

select
    concat_ws(' ', kind, lineage_key::text, transaction_id) as subject,
    sum(rebuilt_rows) || ' made anew' as expected,
    sum(stored_rows) || ' kept that differ' as found,
    count(*) over () as row_count
from differences
group by kind, lineage_key, transaction_id
order by subject
limit 20
