-- A purchase that was placed in its timeline before anybody knew what it continues: the link came with this very answer, which
-- lacks the older purchase's periods, and we hold them. Its charges are read again and placed behind them. Links are found
-- by the chunk's keys, an array: each chunk would read all that the run has recorded.
-- Grain: one row per later purchase of a new link. $1 run, $2 chunk
with unplaced as (
    select link.subscription_key
    from subledger.lineage_links link
    where link.subscription_key = any (array(
            select answered.subscription_key
            from subledger.stage_subscriptions answered
            where answered.run_id = $1::bigint and answered.chunk_no = $2::integer
        ))
        and link.recorded_run_id = $1::bigint
        and exists (
            select from subledger.transactions earlier where earlier.subscription_key = link.linked_subscription_key
        )
        and not exists (
            select from subledger.stage_transactions staged
            where staged.run_id = $1::bigint
                and staged.chunk_no = $2::integer
                and staged.subscription_key = link.linked_subscription_key
        )
)

update subledger.subscriptions as stored set next_check_at = '-infinity', next_check_reason = 'linked'
where stored.subscription_key = any (array(select subscription_key from unplaced))
    and stored.next_check_at is distinct from '-infinity'
