-- Checks in vain: counted, explained and asked again; nothing of them is booked.
-- Grain: one row per subscription. $1 keys, $2 failing nights, $3 messages, $4 next checks (microseconds since 1970,
-- NULL: never again), $5 their reasons, $6 new states (NULL: unchanged), $7 ends (microseconds), $8 end reasons, $9 run
update subledger.subscriptions as held set
    failures = failed.failures::integer,
    last_error = failed.message,
    next_check_at = timestamptz 'epoch' + failed.next_check::bigint * interval '1 microsecond',
    next_check_reason = failed.reason,
    state = coalesce(failed.state, held.state),
    ended_at = case
        when failed.state is null then held.ended_at
        else timestamptz 'epoch' + failed.ended::bigint * interval '1 microsecond'
    end,
    end_reason = case when failed.state is null then held.end_reason else failed.end_reason end,
    last_run_id = $9::bigint
from unnest(
    $1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]
) as failed (subscription_key, failures, message, next_check, reason, state, ended, end_reason)
where held.subscription_key = failed.subscription_key
