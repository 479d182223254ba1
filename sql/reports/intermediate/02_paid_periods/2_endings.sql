-- Endings: when a segment of paid periods ended, and why. What is churn, what is a lapse and what is neither is decided here.
-- Grain: one row per segment of the lineages at hand. ends_at: its effective end; infinity while it is open.
-- outcome: as in the table of paid periods, on the last period of the segment.
--
-- Of the reasons the first one that fits counts:
-- 1. It gave way to a bundle, or to another purchase: replaced.
-- 2. A refund or revocation cut its last period short: that.
-- 3. Another period follows in the lineage: what the store reported between the two. It reported an end: the reason of that. Nothing
--    but free time follows: free. The payment was awaited, or the next one is a renewal: lapsed. It was paused: paused.
-- 4. Nothing follows: what the store reported last. Where that is no end, no retry and no pause, it is open; or retired, where its app
--    is: it lasts to its expiry, or to the day that the app was retired on where that is later.
create temp table segment_endings on commit drop as
-- Where a bundle includes the purchase that a segment ended with, before it is paid for again by itself.
with bundles as (
    select period.lineage_key, period.segment_no, min(image.period_start) as starts_at
    from pg_temp.paid_segments period
    join pg_temp.known_transactions image on image.subscription_key = period.subscription_key
    where period.is_last
        and image.environment = 'production'
        and image.bundle_transaction_id is not null
        and image.period_start > period.starts_at
        and image.period_start < coalesce(period.next_starts_at, 'infinity')
    group by period.lineage_key, period.segment_no
),

-- What the store reported of the purchase that a segment ended with, and between its end and the next period.
states as (
    select
        period.lineage_key, period.segment_no,
        (array_agg(change.state order by change.is_carried desc, change.change_id desc))[1] as last_state,
        (array_agg(change.end_reason order by change.is_carried desc, change.change_id desc))[1] as last_reason,
        (array_agg(coalesce(change.end_reason, 'unknown') order by change.is_carried desc, change.change_id desc) filter (
            where change.state in ('expired', 'revoked') and meanwhile
        ))[1] as reason_meanwhile,
        bool_or(change.state in ('grace', 'billing_retry') and meanwhile) as awaited_meanwhile,
        bool_or(change.state = 'paused' and meanwhile) as paused_meanwhile
    from pg_temp.paid_segments period
    join pg_temp.known_changes change on change.subscription_key = period.subscription_key
    left join bundles bundle on bundle.lineage_key = period.lineage_key and bundle.segment_no = period.segment_no
    cross join lateral (
        select change.known_at >= period.declared_end
            and change.known_at < coalesce(bundle.starts_at, period.next_starts_at) as meanwhile
    ) time
    where period.is_last and change.state <> 'unreachable'
    group by period.lineage_key, period.segment_no
),

reasons as (
    select
        period.lineage_key, period.segment_no, least(period.segment_ends_at, bundle.starts_at) as ends_at,
        case
            -- It gave way to a bundle: no customer left. What is given back of it afterwards moves money only.
            when bundle.starts_at
                <= period.segment_ends_at + case when period.ended_by = 'revoke' then {rule continuous_gap} else interval '0' end
                then 'replaced'
            when (period.ended_by = 'revoke' or period.ended_by is not null and period.first_starts_at is not null)
                and coalesce(
                    state.reason_meanwhile, case when period.next_starts_at is null then state.last_reason end
                ) = 'replaced'
                then 'replaced'
            when period.ended_by is not null then period.ended_by
            when bundle.starts_at <= period.segment_ends_at + {rule continuous_gap} then 'replaced'
            when bundle.starts_at is not null then case
                when state.reason_meanwhile is not null then state.reason_meanwhile
                when state.awaited_meanwhile then 'lapsed'
                when state.paused_meanwhile then 'paused'
                else 'other'
            end
            when period.next_starts_at is null then case
                when state.last_state in ('expired', 'revoked') then coalesce(state.last_reason, 'unknown')
                when state.last_state = 'billing_retry' then 'lapsed'
                when state.last_state = 'paused' then 'paused'
                when retired.retired_at is not null then 'retired'
                else 'open'
            end
            when state.reason_meanwhile is not null then state.reason_meanwhile
            when not period.next_is_paid
                and period.next_starts_at <= period.segment_ends_at + {rule continuous_gap} then 'free'
            when state.awaited_meanwhile then 'lapsed'
            when state.paused_meanwhile then 'paused'
            when period.next_kind = 'renewal' then 'lapsed'
            -- This purchase ended for good and another one continues the lineage: the reason it ended for counts, also
            -- where that was recorded after the other one had started.
            when period.next_subscription_key <> period.subscription_key and state.last_state in ('expired', 'revoked')
                then coalesce(state.last_reason, 'unknown')
            else 'other'
        end as reason,
        retired.retired_at
    from pg_temp.paid_segments period
    left join states state on state.lineage_key = period.lineage_key and state.segment_no = period.segment_no
    left join bundles bundle on bundle.lineage_key = period.lineage_key and bundle.segment_no = period.segment_no
    left join pg_temp.retired_apps retired on retired.app_id = period.app_id
    where period.is_last
)

select
    lineage_key, segment_no,
    case when reason in ('developer', 'revoke', 'unknown') then 'other' else reason end as outcome,
    case reason
        when 'open' then 'infinity'
        when 'retired' then greatest(ends_at, retired_at)
        else ends_at
    end as ends_at
from reasons;

analyze pg_temp.segment_endings;
