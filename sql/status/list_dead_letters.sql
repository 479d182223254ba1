-- Open dead letters by cause, the oldest first.
-- Grain: one row per app, stage and reason.
select
    app_id, stage, reason, count(*) as letters, min(created_at) as oldest, max(subscription_key) as example_key
from subledger.dead_letters
where resolved_at is null
group by app_id, stage, reason
order by oldest, app_id, stage, reason
