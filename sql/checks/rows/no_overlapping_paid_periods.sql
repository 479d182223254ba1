-- Proves that no customer is counted as paying twice for one subscription: no two paid periods of a lineage overlap by
-- more than {rule overlap_allowance in words}, unless one was refunded, a product change superseded it, or it is seats added to a running period.
-- Grain: one row per period that begins too early; at most 20, row_count says how many.
with in_line as (
    select
        period.*,
        max(period.declared_end) filter (where not period.is_refunded) over (
            partition by period.lineage_key order by period.place rows between unbounded preceding and 1 preceding
        ) as paid_until
    from subscription_periods period
    join pg_temp.marked_lineages on marked_lineages.key = period.lineage_key
    where period.is_paid
)

select
    transaction_id as subject,
    'starts at ' || paid_until::text || ' or later' as expected,
    'starts at ' || starts_at::text as found,
    count(*) over () as row_count
from in_line
where paid_until > starts_at + {rule overlap_allowance}
    and not is_refunded
    and coalesce(starts_at = first_starts_at, true)
    and kind not in ('upgrade', 'downgrade', 'crossgrade')
order by subject
limit 20
