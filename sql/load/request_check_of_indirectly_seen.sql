-- A closed subscription of which another one's answer showed something new is asked about again, at once,
-- unless the same answer reported its state. Also one that is due at once: it may be being asked just now.
-- Grain: one row per subscription. $1 run, $2 chunk
update subledger.subscriptions as stored set next_check_at = '-infinity', next_check_reason = 'registered'
from subledger.stage_changes change
where change.run_id = $1::bigint
    and change.chunk_no = $2::integer
    and change.is_seen_indirectly
    and change.is_new
    and stored.subscription_key = change.subscription_key
    and stored.state in ('expired', 'revoked')
    and not exists (
        select from subledger.stage_subscriptions answered
        where answered.run_id = $1::bigint
            and answered.chunk_no = $2::integer
            and answered.subscription_key = change.subscription_key
    )
