-- Notifications that were handled long ago. Those that wait stay.
-- Grain: one row per notification. $1 handled before
delete from subledger.notification_inbox where state <> 'pending' and handled_at < $1::timestamptz
