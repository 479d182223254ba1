-- A purchase that was placed in its line before anybody knew what it continues: the link came with this very answer, which
-- lacks the older purchase's periods, and we hold them. Its charges are read again and placed behind them.
-- Grain: one row per later purchase of a new link. $1 run, $2 chunk
update subledger.subscriptions as held set next_check_at = '-infinity', next_check_reason = 'linked'
from subledger.lineage_links link
where link.recorded_run_id = $1::bigint
    and held.subscription_key = link.subscription_key
    and held.next_check_at is distinct from '-infinity'
    and exists (
        select from subledger.stage_subscriptions answered
        where answered.run_id = $1::bigint
            and answered.chunk_no = $2::integer
            and answered.subscription_key = link.subscription_key
    )
    and exists (
        select from subledger.transactions earlier where earlier.subscription_key = link.linked_subscription_key
    )
    and not exists (
        select from subledger.stage_transactions staged
        where staged.run_id = $1::bigint
            and staged.chunk_no = $2::integer
            and staged.subscription_key = link.linked_subscription_key
    )
