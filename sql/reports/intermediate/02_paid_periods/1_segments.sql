-- Segments: which paid periods of the lineages at hand make unbroken stretches of paying.
-- Grain: one row per paid period of a lineage (place), with its segment and the period that follows it, paid or free (next_*).
--
-- A gap of up to {rule continuous_gap in words} is bridged: the earlier period reaches to the later one. Where periods overlap, the one that
-- started last is the current one. next_paid_at: when the next period of the segment starts; NULL for the last one.
create temp table paid_segments on commit drop as
with timelines as (
    select
        period.*,
        lead(period.subscription_key) over line as next_subscription_key,
        lead(period.starts_at) over line as next_starts_at,
        lead(period.kind) over line as next_kind,
        lead(period.is_paid) over line as next_is_paid,
        max(period.covered_until) filter (where period.is_paid) over (
            line rows between unbounded preceding and 1 preceding
        ) as paid_until
    from pg_temp.new_subscription_periods period
    window line as (partition by period.lineage_key order by period.place)
),

numbered_segments as (
    select
        period.*,
        count(*) filter (
            where period.paid_until is null or period.starts_at > period.paid_until + {rule continuous_gap}
        ) over (partition by period.lineage_key order by period.place) as segment_no
    from timelines period
    where period.is_paid
)

select
    period.*,
    lead(period.starts_at) over segment as next_paid_at,
    lead(period.starts_at) over segment is null as is_last,
    row_number() over segment = 1 as is_first,
    min(period.starts_at) over whole as segment_starts_at,
    max(period.covered_until) over whole as segment_ends_at
from numbered_segments period
window whole as (partition by period.lineage_key, period.segment_no),
    segment as (partition by period.lineage_key, period.segment_no order by period.place);

analyze pg_temp.paid_segments;
