-- Failed checks: counted, explained and asked again; nothing is booked from them. One that somebody made due while its
-- store was being asked stays due. What an intake beside the night was answered meanwhile, by a later clock, is the better answer.
-- Grain: one row per subscription. $1 keys, $2 failing nights, $3 messages, $4 next checks (microseconds since 1970,
-- NULL: never again), $5 their reasons, $6 new states (NULL: unchanged), $7 ends (microseconds), $8 end reasons,
-- $9 how often each was made due when it was read, $10 run, $11 the run's now, $12 nights on which the store refused it for now,
-- $13 whether it did in this run
update subledger.subscriptions as stored set
    failures = failed.failures::integer,
    refusals = failed.refusals::integer,
    last_refused_at = case when failed.is_refused::boolean then $11::timestamptz else stored.last_refused_at end,
    last_error = failed.message,
    last_failed_at = $11::timestamptz,
    next_check_at = case
        when subledger.is_check_requested(stored.check_requests, failed.check_requests_seen::bigint, stored.next_check_at) then '-infinity'
        else timestamptz 'epoch' + failed.next_check::bigint * interval '1 microsecond'
    end,
    next_check_reason = case
        when subledger.is_check_requested(stored.check_requests, failed.check_requests_seen::bigint, stored.next_check_at) then stored.next_check_reason
        else failed.reason
    end,
    state = coalesce(failed.state, stored.state),
    ended_at = case
        when failed.state is null then stored.ended_at
        else timestamptz 'epoch' + failed.ended::bigint * interval '1 microsecond'
    end,
    end_reason = case when failed.state is null then stored.end_reason else failed.end_reason end,
    last_run_id = $10::bigint
from unnest(
    $1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $12::bigint[], $13::text[]
) as failed (
    subscription_key, failures, message, next_check, reason, state, ended, end_reason, check_requests_seen, refusals, is_refused
)
where stored.subscription_key = failed.subscription_key
    and (stored.last_checked_at > $11::timestamptz) is not true
