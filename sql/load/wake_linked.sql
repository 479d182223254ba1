-- Requeues the predecessor of a newly linked purchase at once, unless it has ended: its store has cut it short, and its own
-- check was not due yet, or looked at its charges only. Runs after update_subscriptions, which would put the check off again.
-- Grain: one row per predecessor that has not ended, of a link that this run recorded and of which this chunk answered
-- either purchase. $1 run, $2 chunk
update subledger.subscriptions as held set next_check_at = '-infinity', next_check_reason = 'registered'
from subledger.lineage_links link
where link.recorded_run_id = $1::bigint
    and held.subscription_key = link.linked_subscription_key
    and held.state not in ('expired', 'revoked')
    and held.next_check_at is distinct from '-infinity'
    and (
        link.subscription_key in (
            select answered.subscription_key
            from subledger.stage_subscriptions answered
            where answered.run_id = $1::bigint and answered.chunk_no = $2::integer
        )
        or link.linked_subscription_key in (
            select answered.subscription_key
            from subledger.stage_subscriptions answered
            where answered.run_id = $1::bigint and answered.chunk_no = $2::integer
        )
    )
