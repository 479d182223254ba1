-- Periods of auto-renewing subscriptions as a seal saw them, paid and free, each with its effective end.
-- Grain: one row per period of a lineage that covers any time at all; production and purchased only.
--
-- declared_end: the expiry, the refund or revocation if earlier, or the start of the successor that replaced it.
-- covered_until: the same, but with the end of the grace in place of the expiry where the store granted one.
--
-- The App Store's refund of a period ends it. Google Play states an order's period once and then moves the expiry of the
-- whole purchase: for hours, for a grace, by a deferral, or back to the instant of a revocation. There the furthest
-- expiry that was told while the period was the newest one counts, and what ended the purchase ends its last period; a
-- refund alone moves money only.
drop function if exists report.periods_as_of(bigint);
create function report.periods_as_of(seal bigint) returns table (
    lineage_key bigint, subscription_key bigint, transaction_id text, app_id text, store text, product_id text,
    kind text, is_paid boolean, is_refunded boolean, purchased_at timestamptz, starts_at timestamptz,
    declared_end timestamptz, covered_until timestamptz
)
language sql stable
as $$
    with graces as (
        select change.subscription_key, change.expires_at, max(change.grace_expires_at) as ends_at
        from subledger.state_changes_as_of(periods_as_of.seal) change
        where change.grace_expires_at > change.expires_at
        group by change.subscription_key, change.expires_at
    ),

    -- Filters on plain values would make the planner expect a handful of rows, and then loop over many thousands.
    sold as materialized (
        select
            image.*,
            image.environment = 'production'
                and image.ownership = 'purchased'
                and image.kind not in ('one_time', 'top_up') as is_renewing
        from subledger.transactions_as_of(periods_as_of.seal) image
    ),

    -- What was told of a purchase while each of its orders was the newest one.
    told as (
        select
            change.subscription_key, change.recorded_at, change.expires_at, change.grace_expires_at,
            case when change.state in ('expired', 'revoked') then change.expires_at end as ended_at,
            row_number() over (partition by change.subscription_key order by change.change_id desc) = 1 as is_latest
        from subledger.state_changes_as_of(periods_as_of.seal) change
    ),

    orders as (
        select
            sold.subscription_key, sold.product_id, sold.transaction_id, sold.purchased_at,
            lead(sold.purchased_at) over (
                partition by sold.subscription_key, sold.product_id order by sold.purchased_at, sold.transaction_id
            ) as next_purchased_at
        from sold
        where sold.is_renewing and sold.store = 'google_play'
    ),

    moved as (
        select
            orders.subscription_key, orders.product_id, orders.transaction_id,
            max(told.expires_at) as expires_at,
            max(told.grace_expires_at) as grace_expires_at,
            max(told.ended_at) filter (where told.is_latest and orders.next_purchased_at is null) as ended_at,
            max(greatest(told.grace_expires_at, told.ended_at)) filter (
                where told.is_latest and told.ended_at is not null and orders.next_purchased_at is null
            ) as grace_ended_at
        from orders
        join told
            on told.subscription_key = orders.subscription_key
            and told.recorded_at >= orders.purchased_at
            and told.recorded_at < coalesce(orders.next_purchased_at, 'infinity')
        group by orders.subscription_key, orders.product_id, orders.transaction_id
    ),

    renewing as (
        select sold.*, lead(sold.period_start) over line as successor_start
        from sold
        where sold.is_renewing
        window line as (
            partition by sold.lineage_key
            order by sold.period_start, sold.purchased_at, sold.transaction_id, sold.product_id
        )
    ),

    ended as (
        select
            renewing.*,
            least(
                case when renewing.store <> 'google_play' then renewing.refunded_at end,
                case when renewing.is_upgraded then renewing.successor_start end
            ) as cut_at,
            case
                when renewing.store <> 'google_play' then renewing.period_end
                else coalesce(moved.ended_at, greatest(renewing.period_end, moved.expires_at))
            end as expiry,
            case
                when renewing.store <> 'google_play' then coalesce(grace.ends_at, renewing.period_end)
                else coalesce(
                    moved.grace_ended_at,
                    greatest(renewing.period_end, moved.expires_at, moved.grace_expires_at))
            end as unpaid_end
        from renewing
        left join moved
            on moved.subscription_key = renewing.subscription_key
            and moved.product_id = renewing.product_id
            and moved.transaction_id = renewing.transaction_id
        left join graces grace
            on grace.subscription_key = renewing.subscription_key and grace.expires_at = renewing.period_end
    )

    select
        lineage_key, subscription_key, transaction_id, app_id, store, product_id, kind,
        kind <> 'trial' and price_micros is distinct from 0,
        refunded_at is not null,
        purchased_at, period_start,
        least(expiry, cut_at),
        least(unpaid_end, cut_at)
    from ended
    where least(unpaid_end, cut_at) > period_start
$$;

comment on function report.periods_as_of is 'Periods of auto-renewing subscriptions, paid and free, with their effective ends';
