-- Subscriptions whose state changed by a failed check (unreachable, or gone from the store): their history says so.
-- Not of one that an intake beside the night was answered for meanwhile, by a later clock.
-- Grain: one row per subscription. $1 keys, $2 new states (NULL: unchanged), $3 ends (microseconds since 1970),
-- $4 end reasons, $5 run, $6 the run's now
insert into subledger.state_changes (
    subscription_key, change_id, occurred_at, recorded_at, run_id, state, state_raw, auto_renew, product_id, expires_at,
    grace_expires_at, end_reason, reported_at, committed_until, renewal_price_micros, renewal_currency
)
select
    stored.subscription_key,
    1 + coalesce((
        select max(earlier.change_id)
        from subledger.state_changes earlier
        where earlier.subscription_key = stored.subscription_key
    ), 0),
    coalesce(timestamptz 'epoch' + failed.ended::bigint * interval '1 microsecond', $6::timestamptz),
    $6::timestamptz, $5::bigint, failed.state, stored.state_raw, stored.auto_renew, stored.product_id, stored.expires_at,
    stored.grace_expires_at, failed.end_reason,
    greatest((select logical_now from subledger.runs where run_id = $5::bigint), (
        select max(charge.purchased_at)
        from (
            select sold.purchased_at
            from subledger.transactions sold
            where sold.subscription_key = stored.subscription_key and sold.kind <> 'one_time'
            -- Else the newest purchases of all are looked through for one of this subscription.
            offset 0
        ) charge
    )),
    stored.committed_until, stored.renewal_price_micros, stored.renewal_currency
from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as failed (subscription_key, state, ended, end_reason)
join subledger.subscriptions stored on stored.subscription_key = failed.subscription_key
where failed.state is not null
    and failed.state <> stored.state
    and (stored.last_checked_at > $6::timestamptz) is not true
