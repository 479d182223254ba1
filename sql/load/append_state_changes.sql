-- What became of the chunk's subscriptions, where anything did: the steps on the way, then what they are now.
-- reported_at is the earliest instant at which the store can have reported the state: not before any charge that is known by
-- now, nor before the expiry of what has ended or waits for its payment, however long ago the run began. What an intake learns beside
-- a night is dated as the night would.
-- Grain: one row per subscription whose state, intent, product, dates or renewal price changed, and one more per step that the
-- store dates. $1 run, $2 chunk, $3 the run's now
with changed as (
    select
        staged.*,
        coalesce((
            select max(earlier.change_id)
            from subledger.state_changes earlier
            where earlier.subscription_key = staged.subscription_key
        ), 0) as last_change_id,
        coalesce(jsonb_array_length(staged.steps), 0) as step_count
    from subledger.stage_subscriptions staged
    join subledger.subscriptions stored on stored.subscription_key = staged.subscription_key
    where staged.run_id = $1::bigint
        and staged.chunk_no = $2::integer
        and (stored.source_version is null or stored.source_version <= staged.source_version)
        and (
            staged.state, staged.state_raw, staged.auto_renew, staged.product_id, staged.expires_at,
            staged.grace_expires_at, staged.end_reason, staged.committed_until, staged.renewal_price_micros,
            staged.renewal_currency
        ) is distinct from (
            stored.state, stored.state_raw, stored.auto_renew, stored.product_id, stored.expires_at, stored.grace_expires_at,
            stored.end_reason, stored.committed_until, stored.renewal_price_micros, stored.renewal_currency
        )
)

insert into subledger.state_changes (
    subscription_key, change_id, occurred_at, recorded_at, run_id, state, state_raw, auto_renew, product_id, expires_at,
    grace_expires_at, end_reason, answer_hash, reported_at, committed_until, renewal_price_micros, renewal_currency
)
select
    changed.subscription_key, changed.last_change_id + step.place, (step.fields ->> 'at')::timestamptz, $3::timestamptz,
    $1::bigint, step.fields ->> 'state', changed.state_raw, (step.fields ->> 'auto_renew')::boolean, changed.product_id,
    changed.expires_at, null, null, changed.answer_hash,
    (select logical_now from subledger.runs where run_id = $1::bigint), (step.fields ->> 'committed_until')::timestamptz,
    changed.renewal_price_micros, changed.renewal_currency
from changed
cross join lateral jsonb_array_elements(changed.steps) with ordinality as step (fields, place)
union all
select
    changed.subscription_key, changed.last_change_id + changed.step_count + 1, changed.occurred_at, $3::timestamptz,
    $1::bigint, changed.state, changed.state_raw, changed.auto_renew, changed.product_id, changed.expires_at,
    changed.grace_expires_at, changed.end_reason, changed.answer_hash,
    greatest(
        (select logical_now from subledger.runs where run_id = $1::bigint),
        (
            select max(charge.purchased_at)
            from (
                select sold.purchased_at
                from subledger.transactions sold
                where sold.subscription_key = changed.subscription_key and sold.kind <> 'one_time'
                -- Else the newest purchases of all are looked through for one of this subscription.
                offset 0
            ) charge
        ),
        case when changed.state in ('grace', 'billing_retry', 'paused', 'expired') then changed.expires_at end
    ),
    changed.committed_until, changed.renewal_price_micros, changed.renewal_currency
from changed
