-- Notifications to read as a table: all but those that were refused.
-- Grain: one row per notification, oldest first. $1 after this number, $2 received at or after (NULL: ever),
-- $3 source (NULL: any), $4 at most
select
    notification_id, app_id, source, payload, received_at, coalesce(received_bytes, octet_length(payload)) as length,
    state, notification_type, reason, handled_at, is_pulled
from subledger.notification_inbox
where notification_id > $1::bigint
    and state <> 'refused'
    and ($2::timestamptz is null or received_at >= $2::timestamptz)
    and ($3::text is null or source = $3::text)
order by notification_id
limit $4::bigint
