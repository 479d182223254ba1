-- Subscriptions that a notification is about are due at once, closed ones too; where it reports a refund, with their
-- charges, and a later hint does not take that from them. A row that it shows as changed is kept until the next answer, to be read
-- with it; where a refund names no row, any may have changed, and the history is read from its beginning.
-- Grain: one row per subscription that we know. $1 app, $2 keys, $3 those whose charges are looked at again,
-- $4 when the refund was reported (microseconds since 1970, NULL: unknown), $5 those of which a row has changed,
-- $6 that row as the store signed it (NULL: not named), $7 the transaction whose refund was reported (NULL: not named)
update subledger.subscriptions as stored set
    next_check_at = '-infinity',
    next_check_reason = case
        when subscription_key = any ($3::bigint[]) then 'refund_notified'
        when next_check_at = '-infinity' and next_check_reason = 'refund_notified' then 'refund_notified'
        else 'notified'
    end,
    refund_notified_at = least(
        stored.refund_notified_at,
        (
            select min(timestamptz 'epoch' + reported.at::bigint * interval '1 microsecond')
            from unnest($3::bigint[], $4::text[], $7::text[]) as reported (subscription_key, at, transaction_id)
            where reported.subscription_key = stored.subscription_key and reported.transaction_id is null
        )
    ),
    refund_reports = (
        select jsonb_object_agg(earliest.transaction_id, earliest.at)
        from (
            select reported.transaction_id, min(reported.at) as at
            from (
                select earlier.key as transaction_id, earlier.value::bigint as at
                from jsonb_each_text(stored.refund_reports) earlier
                union all
                select named.transaction_id, named.at::bigint
                from unnest($3::bigint[], $4::text[], $7::text[]) as named (subscription_key, at, transaction_id)
                where named.subscription_key = stored.subscription_key
                    and named.transaction_id is not null
                    and named.at is not null
            ) reported
            group by reported.transaction_id
        ) earliest
    ),
    notified_rows = (
        select array_agg(distinct reported.signed_row order by reported.signed_row)
        from (
            select unnest(stored.notified_rows) as signed_row
            union all
            select changed.signed_row
            from unnest($5::bigint[], $6::text[]) as changed (subscription_key, signed_row)
            where changed.subscription_key = stored.subscription_key and changed.signed_row is not null
        ) reported
    ),
    is_history_notified = stored.is_history_notified or exists (
        select from unnest($5::bigint[], $6::text[]) as changed (subscription_key, signed_row)
        where changed.subscription_key = stored.subscription_key and changed.signed_row is null
    )
where subscription_key = any ($2::bigint[]) and app_id = $1::text
returning subscription_key
