-- Subscriptions that a notification is about are due at once, closed ones too; where it reports a refund, with their
-- charges, and a later hint does not take that from them.
-- Grain: one row per subscription that we know. $1 app, $2 keys, $3 those whose charges are looked at again,
-- $4 when the refund was reported (microseconds since 1970, NULL: unknown)
update subledger.subscriptions as stored set
    next_check_at = '-infinity',
    next_check_reason = case
        when subscription_key = any ($3::bigint[]) then 'refund_notified'
        when next_check_at = '-infinity' and next_check_reason = 'refund_notified' then 'refund_notified'
        else 'notified'
    end,
    refund_notified_at = coalesce(
        stored.refund_notified_at,
        (
            select min(timestamptz 'epoch' + reported.at::bigint * interval '1 microsecond')
            from unnest($3::bigint[], $4::text[]) as reported (subscription_key, at)
            where reported.subscription_key = stored.subscription_key
        )
    )
where subscription_key = any ($2::bigint[]) and app_id = $1::text
returning subscription_key
