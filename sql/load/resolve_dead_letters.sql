-- Dead letters whose subscription was answered by this run, and not set aside again.
-- Grain: one row per dead letter. $1 run, $2 chunk, $3 the run's now
update subledger.dead_letters as stored set resolved_at = $3::timestamptz
from subledger.stage_subscriptions staged
where staged.run_id = $1::bigint
    and staged.chunk_no = $2::integer
    and stored.subscription_key = staged.subscription_key
    and stored.resolved_at is null
    and stored.last_run_id <> $1::bigint
