-- The newest notification that waits in an app's inbox: what comes in meanwhile is the next run's.
-- Grain: one row. $1 app
select coalesce(max(notification_id), 0) as notification_id
from subledger.notification_inbox
where app_id = $1::text and state = 'pending'
