-- What waits in an app's inbox, oldest first.
-- Grain: one row per notification. $1 app, $2 after this number, $3 up to this number, $4 at most
select notification_id, source, payload
from subledger.notification_inbox
where app_id = $1::text
    and state = 'pending'
    and notification_id > $2::bigint
    and notification_id <= $3::bigint
order by notification_id
limit $4::bigint
