-- Proves that nights have missed nothing: the kept periods of the lineages at hand (those written of, and the date's
-- sample) are those that the history makes anew (new_*). The other checks of MRR, churn and subscribers rest on them.
-- Grain: one row per table, lineage and transaction that differs; at most 20, row_count says how many.
with held_periods as (
    select held.* from subscription_periods held join pg_temp.touched on touched.key = held.lineage_key
),

held_paid_periods as (
    select held.* from paid_periods held join pg_temp.touched on touched.key = held.lineage_key
),

differences as (
    select 'period' as kind, lineage_key, transaction_id, 1 as anew, 0 as kept
    from (select * from pg_temp.new_subscription_periods except all select * from held_periods) missing
    union all
    select 'period', lineage_key, transaction_id, 0, 1
    from (select * from held_periods except all select * from pg_temp.new_subscription_periods) surplus
    union all
    select 'paid period', lineage_key, transaction_id, 1, 0
    from (select * from pg_temp.new_paid_periods except all select * from held_paid_periods) missing
    union all
    select 'paid period', lineage_key, transaction_id, 0, 1
    from (select * from held_paid_periods except all select * from pg_temp.new_paid_periods) surplus
)

select
    concat_ws(' ', kind, lineage_key::text, transaction_id) as subject,
    sum(anew) || ' made anew' as expected,
    sum(kept) || ' kept that differ' as found,
    count(*) over () as row_count
from differences
group by kind, lineage_key, transaction_id
order by subject
limit 20
