-- How far an app's notifications were fetched, and whether its store was said to keep none.
-- Grain: no row the first time, else one. $1 app
select pulled_until, not_kept_since from subledger.notification_pulls where app_id = $1::text
