-- Periods of auto-renewing subscriptions as a seal saw them, paid and free, each with its effective end.
-- Grain: one row per period of a lineage that covers any time at all; production and purchased only. An order of several
-- products (add-ons) is one period: that of its dearest product that was not taken back. An add-on that was bought to a
-- running Play purchase has an order of its own within the time of the other product's: that order is no period, nor is it
-- where the store made a new purchase of both.
--
-- A free period is a trial, or one that cost nothing; but what Google Play calls for nothing between a change of plan and
-- the first whole period of the new one was paid for before, and counts as paid; so does what it paid for itself in the
-- customer's place, where the developer gets something for it.
--
-- declared_end: the expiry, the refund or revocation if earlier, or the start of the successor that replaced it.
-- ended_by: refund or revoke, where that cut the period short; NULL else.
-- covered_until: the same, but with the end of the grace in place of the expiry where the store granted one.
--
-- Money is that of the whole order, as charged: NULL where the price is unknown, tax and proceeds where the store gave them
-- for all of it. recurring_price_micros is what whole periods of the plan cost, add-ons included, where the period was sold
-- as the rest of another after a change of plan (Google Play's proration); NULL else. period_end is the end the store
-- stated, whatever cut the period short.
--
-- Seats that a group's purchaser added within a period are a row of their own beside the first, for the same period, which
-- began at first_starts_at (NULL for what is no group's).
--
-- The App Store's refund of a period ends it, unless it gave back some of the seats or of the items, sum by sum. Google
-- Play states an order's period once and then moves the expiry of the whole purchase: for hours, for a grace, by a
-- deferral, or back to the instant of a revocation. There the last expiry that was told while the period was the newest
-- one counts; a refund alone moves money only.

-- When a refund of the App Store's ended the period; NULL where it moved money only.
create or replace function report.cut_at(
    store text, refunded_at timestamptz, refund_kind text, refund_parts jsonb
) returns timestamptz
language sql immutable parallel safe
return case
    when cut_at.store <> 'google_play' and not (cut_at.refund_kind = 'partial' and cut_at.refund_parts is not null)
        then cut_at.refunded_at
end;

drop function if exists report.periods_as_of(bigint);
drop function if exists report.periods_as_of(bigint, bigint[]);
create function report.periods_as_of(seal bigint, subscriptions bigint[] default null) returns table (
    lineage_key bigint, subscription_key bigint, transaction_id text, app_id text, store text, product_id text,
    kind text, is_paid boolean, is_refunded boolean, purchased_at timestamptz, starts_at timestamptz,
    declared_end timestamptz, covered_until timestamptz, ended_by text, period_end timestamptz, offer_type text,
    price_micros bigint, tax_micros bigint, proceeds_micros bigint, recurring_price_micros bigint, currency text,
    base_plan_id text, first_starts_at timestamptz
)
language sql stable
as $$
    with graces as (
        select change.subscription_key, change.expires_at, max(change.grace_expires_at) as ends_at
        from report.line_changes_as_of(periods_as_of.seal, periods_as_of.subscriptions) change
        where change.grace_expires_at > change.expires_at
        group by change.subscription_key, change.expires_at
    ),

    -- Filters on plain values would make the planner expect a handful of rows, and then loop over many thousands.
    sold as materialized (
        select
            image.*,
            image.environment = 'production'
                and image.ownership = 'purchased'
                and image.kind not in ('one_time', 'top_up')
                and row_number() over (
                    partition by image.subscription_key, image.transaction_id
                    order by
                        report.cut_at(image.store, image.refunded_at, image.refund_kind, image.refund_parts) is not null,
                        coalesce(image.recurring_price_micros, image.price_micros) desc nulls last,
                        image.product_id collate "C"
                ) = 1
                and not coalesce(
                    image.store = 'google_play'
                    and image.product_id <> lag(image.product_id) over purchase
                    and image.period_start + interval '24 hours' < max(image.period_end) over (
                        purchase rows between unbounded preceding and 1 preceding
                    ), false
                )
                and not coalesce(
                    image.store = 'google_play'
                    and image.kind = 'purchase'
                    and not image.is_trial_conversion
                    and image.period_start + interval '24 hours' < max(image.period_end) filter (
                        where image.price_micros > 0
                    ) over (
                        partition by image.lineage_key
                        order by
                            image.period_start, image.purchased_at, image.transaction_id collate "C",
                            coalesce(image.recurring_price_micros, image.price_micros) desc nulls last,
                            image.product_id collate "C"
                        rows between unbounded preceding and 1 preceding
                    ), false
                ) as is_renewing,
            sum(image.price_micros) over whole_order as order_price_micros,
            case when count(image.tax_micros) over whole_order = count(image.price_micros) over whole_order
                then sum(image.tax_micros) over whole_order
            end as order_tax_micros,
            case when count(image.proceeds_micros) over whole_order = count(image.price_micros) over whole_order
                then sum(image.proceeds_micros) over whole_order
            end as order_proceeds_micros,
            case when count(image.recurring_price_micros) over whole_order > 0
                then sum(coalesce(image.recurring_price_micros, image.price_micros)) over whole_order
            end as order_recurring_price_micros
        from subledger.transactions_as_of(periods_as_of.seal, periods_as_of.subscriptions) image
        window purchase as (
            partition by image.subscription_key
            order by
                image.period_start, image.purchased_at, image.transaction_id collate "C",
                coalesce(image.recurring_price_micros, image.price_micros) desc nulls last, image.product_id collate "C"
        ),
        whole_order as (
            partition by image.subscription_key, image.transaction_id, image.environment, image.ownership,
                image.kind in ('one_time', 'top_up')
        )
    ),

    told as (
        select
            change.subscription_key, change.change_id, change.expires_at,
            coalesce(change.told_at, change.recorded_at) as told_at,
            greatest(change.expires_at, change.grace_expires_at) as unpaid_end
        from report.line_changes_as_of(periods_as_of.seal, periods_as_of.subscriptions) change
        where change.expires_at is not null
    ),

    orders as (
        select
            sold.subscription_key, sold.product_id, sold.transaction_id, sold.purchased_at,
            lead(sold.purchased_at) over (
                partition by sold.subscription_key order by sold.purchased_at, sold.transaction_id
            ) as next_purchased_at
        from sold
        where sold.is_renewing and sold.store = 'google_play'
    ),

    -- The last word on a purchase while each of its orders was the newest one.
    moved as (
        select distinct on (orders.subscription_key, orders.product_id, orders.transaction_id)
            orders.subscription_key, orders.product_id, orders.transaction_id, told.expires_at, told.unpaid_end
        from orders
        join told
            on told.subscription_key = orders.subscription_key
            and told.told_at >= orders.purchased_at
            and told.told_at < coalesce(orders.next_purchased_at, 'infinity')
        order by orders.subscription_key, orders.product_id, orders.transaction_id, told.change_id desc
    ),

    renewing as (
        select
            sold.*,
            report.cut_at(sold.store, sold.refunded_at, sold.refund_kind, sold.refund_parts) as refund_cut_at,
            lead(sold.period_start) over line as successor_start,
            case when sold.seats is not null then min(sold.period_start) over seats_so_far end as first_starts_at
        from sold
        where sold.is_renewing
        window line as (
            partition by sold.lineage_key
            order by sold.period_start, sold.purchased_at, sold.transaction_id, sold.product_id
        ),
        seats_so_far as (
            partition by sold.subscription_key, sold.product_id, sold.period_end, sold.seats is not null
            order by sold.period_start, sold.purchased_at, sold.transaction_id
            rows between unbounded preceding and current row
        )
    ),

    ended as (
        select
            renewing.*,
            least(
                renewing.refund_cut_at,
                case when renewing.is_upgraded then renewing.successor_start end
            ) as cut_at,
            coalesce(moved.expires_at, renewing.period_end) as expiry,
            coalesce(moved.unpaid_end, grace.ends_at, renewing.period_end) as unpaid_end,
            case
                when renewing.refund_cut_at < renewing.period_end
                    then case renewing.refund_kind when 'revoke' then 'revoke' else 'refund' end
            end as ended_by
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
        kind <> 'trial' and (
            price_micros is distinct from 0
            or store = 'google_play' and (kind in ('upgrade', 'downgrade', 'crossgrade') or order_proceeds_micros > 0)
        ),
        refunded_at is not null and (store = 'google_play' or refund_cut_at is not null),
        purchased_at, period_start,
        least(expiry, cut_at),
        least(unpaid_end, cut_at),
        ended_by,
        period_end, offer_type, order_price_micros::bigint, order_tax_micros::bigint, order_proceeds_micros::bigint,
        order_recurring_price_micros::bigint, currency, base_plan_id, first_starts_at
    from ended
    where least(unpaid_end, cut_at) > period_start
$$;

comment on function report.cut_at is 'When a refund of the App Store''s ended a period; NULL where it moved money only';
comment on function report.periods_as_of is 'Periods of auto-renewing subscriptions, paid and free, with their effective ends';
