-- Asked in vain since the expiry: a check that failed before it says nothing of what happened then.

alter table subledger.subscriptions add column last_failed_at timestamptz;

-- Whoever failed last was written by the run that failed to read it.
update subledger.subscriptions held set last_failed_at = run.logical_now
from subledger.runs run
where run.run_id = held.last_run_id and held.failures > 0;

-- Nobody could tell us anything since the expiry: a check at or after it was made in vain, and none was answered. What a
-- store once said since then stands, and a later failed check gives nothing back.
create or replace function subledger.is_unread(subscription subledger.subscriptions) returns boolean
language sql immutable
return subscription.expires_at is not null and (
    subscription.state = 'unreachable'
    or (
        subscription.failures > 0
        and coalesce(subscription.last_failed_at >= subscription.expires_at, false)
        and coalesce(subscription.last_checked_at < subscription.expires_at, true)
    )
);

comment on column subledger.subscriptions.last_failed_at is 'Logical now of the last run that asked in vain';
