-- A row of a subscription was set aside in the answer about another one: it is asked itself on the next night.
-- Grain: one row per subscription. $1 run, $2 chunk, $3 the subscriptions of such rows, $4 the next night
update subledger.subscriptions as stored set
    next_check_at = $4::timestamptz,
    next_check_reason = 'set_aside'
where stored.subscription_key = any ($3::bigint[])
    and (stored.next_check_at is null or stored.next_check_at > $4::timestamptz)
    and not exists (
        select from subledger.stage_subscriptions answered
        where answered.run_id = $1::bigint
            and answered.chunk_no = $2::integer
            and answered.subscription_key = stored.subscription_key
    )
