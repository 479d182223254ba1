-- The subscriber figures of a day and of the day before it.
-- Grain: two rows, the day first. $1 seal, $2 day, $3 time zone
-- active, trials and at_risk stand at the end of the day; new_paid and churned happened on it.
with days as (
    select $2::date - back as day, back from generate_series(0, 1) back
),

segments as materialized (
    select
        piece.lineage_key,
        report.day_of(piece.segment_starts_at, piece.store, $3::text) as start_day,
        report.day_of(piece.ends_at, piece.store, $3::text) as end_day
    from report.paid_segments_as_of($1::bigint) piece
    where piece.is_last
),

first_payments as (
    select lineage_key, min(start_day) as start_day from segments group by lineage_key
),

trials as materialized (
    select
        period.lineage_key,
        report.day_of(period.starts_at, period.store, $3::text) as start_day,
        report.day_of(period.declared_end, period.store, $3::text) as end_day
    from report.periods_as_of($1::bigint) period
    where period.kind = 'trial'
),

states as materialized (
    select
        change.subscription_key, change.change_id, change.state,
        report.day_of(change.occurred_at, sold.store, $3::text) as day
    from subledger.state_changes_as_of($1::bigint) change
    join (
        select distinct subscription_key, store from report.periods_as_of($1::bigint)
    ) sold on sold.subscription_key = change.subscription_key
),

latest_states as (
    select distinct on (days.day, states.subscription_key) days.day, states.state
    from days
    join states on states.day <= days.day
    order by days.day, states.subscription_key, states.change_id desc
)

select
    days.day::text as day,
    (select count(*) from segments where start_day <= days.day and end_day > days.day) as active,
    (select count(distinct lineage_key) from trials where start_day <= days.day and end_day > days.day) as trials,
    (select count(*) from first_payments where start_day = days.day) as new_paid,
    (
        select coalesce(sum(churned), 0)::bigint from report.churn_as_of($1::bigint, days.day, days.day, $3::text)
    ) as churned,
    (
        select count(*) from latest_states
        where latest_states.day = days.day and state in ('grace', 'billing_retry')
    ) as at_risk
from days
order by days.back
