-- Rows of earlier answers whose line has changed by a new link: staged as changes, so that their history says so.
-- Lines and transactions are found by arrays of keys: in a first night the planner knows both tables as small and would read
-- them whole for each chunk.
-- Grain: one row per transaction that this chunk's answers did not show. $1 run, $2 chunk, $3 later keys of the new links
with redrawn as (
    select subscription_key, lineage_key
    from subledger.subscriptions
    where lineage_key = any (array(
        select lineage_key from subledger.subscriptions where subscription_key = any ($3::bigint[])
    ))
)

insert into subledger.stage_changes (
    run_id, chunk_no, answer_hash, is_seen_indirectly, is_new, old_amount_micros, old_currency, old_refund_micros, old_refunded_at,
    old_tax_micros, old_proceeds_micros, old_refund_parts, amount_micros, booked_refund_micros, proceeds_source, lineage_key,
    {transaction}
)
select
    $1::bigint, $2::integer, null, false, false, booked.amount, stored.currency, booked.refund, stored.refunded_at,
    stored.tax_micros, stored.proceeds_micros, stored.refund_parts, booked.amount, booked.refund, stored.proceeds_source,
    subscription.lineage_key, {stored.transaction}
from redrawn subscription
join subledger.transactions stored
    on stored.subscription_key = subscription.subscription_key and stored.lineage_key <> subscription.lineage_key
cross join lateral (
    select subledger.bookable_micros(stored.environment, stored.ownership, stored.kind, stored.price_micros) as amount,
        subledger.bookable_micros(stored.environment, stored.ownership, stored.kind, stored.refund_micros) as refund
) booked
where stored.subscription_key = any (array(select subscription_key from redrawn))
    and not exists (
        select from subledger.stage_changes staged
        where staged.run_id = $1::bigint
            and staged.chunk_no = $2::integer
            and staged.subscription_key = stored.subscription_key
            and staged.transaction_id = stored.transaction_id
            and staged.product_id = stored.product_id
    )
