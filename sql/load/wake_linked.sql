-- What a purchase of this run continues is asked about again, at once, unless its end is known: its store has cut it short,
-- and its own check was not due yet, or looked at its charges only. After today's picture, which would put it off again.
-- Grain: one row per earlier purchase that has not ended, of a link that this chunk told or whose earlier purchase it
-- answered. $1 run, $2 chunk
update subledger.subscriptions as held set next_check_at = '-infinity', next_check_reason = 'registered'
from subledger.lineage_links link
where link.recorded_run_id = $1::bigint
    and held.subscription_key = link.linked_subscription_key
    and held.state not in ('expired', 'revoked')
    and held.next_check_at is distinct from '-infinity'
    and exists (
        select from subledger.stage_subscriptions answered
        where answered.run_id = $1::bigint
            and answered.chunk_no = $2::integer
            and answered.subscription_key in (link.subscription_key, link.linked_subscription_key)
    )
