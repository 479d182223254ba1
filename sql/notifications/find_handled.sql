-- Which of these notifications were handled before.
-- Grain: one row per key, and per whether it was believed. $1 app, $2 dedupe keys
select distinct dedupe_key, state = 'refused' as is_refused
from subledger.notification_inbox
where app_id = $1::text and dedupe_key = any ($2::text[]) and state <> 'pending'
