-- rests on: known_transactions, marts.cut_at, subledger.is_refund_money_alone
-- Transactions of the lineages at hand that follow a year of paid service in their subscription group.
-- Grain: one row per transaction of such a kind.
-- Days of payment add up over product changes; a lapse of up to 60 days stops the count, a longer one restarts it.
-- Free time does not count, nor what was refunded or superseded (of several items, and of seats in several rows, once each of them
-- was), nor the days that the App Store extended a period by, which are no lapse either; a year is 365 days. A charge that comes up to
-- {rule early_renewal in words} before the end of the period before it counts that period whole: a yearly plan's second and a monthly
-- plan's 13th charge follow a year, also when they come a day early.
create temp table years_paid on commit drop as
with sold as (
    select
        image.*, coalesce(image.subscription_group, '') as group_name,
        -- The lines of Google Play's orders are no items of one sale here: its orders begin where the one before ends.
        case when subledger.is_refund_money_alone(image.store) then image.product_id end as line_of_order,
        case
            when subledger.is_refund_money_alone(image.store) then image.refunded_at
            when bool_and(cut.at is not null) over whole_period then max(cut.at) over whole_period
        end as cut_at
    from pg_temp.known_transactions image
    cross join lateral (
        -- Days whose whole price was given back do not count, though an item stays owned.
        select case when image.refund_kind = 'full' then image.refunded_at
            else marts.cut_at(image.store, image.refunded_at, image.refund_kind, image.refund_parts, image.seats)
        end as at
    ) cut
    where image.environment = 'production'
        and image.ownership = 'purchased'
        and image.kind not in ('trial', 'one_time', 'top_up')
        and image.price_micros is distinct from 0
    -- Of a sale, or of all rows of a group's period: one item that is still owned is service.
    window whole_period as (
        partition by image.subscription_key, case when image.seats is null then image.transaction_id end, image.period_end,
            image.seats is not null
    )
),

paid as (
    select
        sold.subscription_key, sold.transaction_id, sold.product_id, sold.lineage_key, sold.group_name as subscription_group,
        sold.line_of_order, sold.period_start as starts_at,
        least(sold.period_end, sold.cut_at, lead(sold.period_start) over line) as ends_at,
        least(sold.period_end, sold.cut_at) as served_until,
        least(greatest(sold.period_end, sold.extended_until), sold.cut_at) as covers_until,
        row_number() over line as place
    from sold
    window line as (
        partition by sold.lineage_key, sold.group_name
        order by sold.period_start, sold.purchased_at, sold.transaction_id, sold.product_id
    )
),

spans as (
    select
        paid.*,
        paid.starts_at > lag(paid.covers_until) over (
            partition by paid.lineage_key, paid.subscription_group order by paid.place
        ) + interval '60 days' as is_restart,
        lag(paid.served_until) over (
            partition by paid.lineage_key, paid.subscription_group order by paid.place
        ) - paid.starts_at as early_by
    from paid
),

numbered as (
    select
        spans.*,
        count(*) filter (where spans.is_restart) over (
            partition by spans.lineage_key, spans.subscription_group order by spans.place
        ) as count_no,
        -- The items of a sale are equally early: the first of them follows on the period before.
        first_value(spans.early_by) over (
            partition by spans.lineage_key, spans.subscription_group, spans.subscription_key, spans.transaction_id,
                spans.line_of_order
            order by spans.place
        ) as sale_early_by
    from spans
),

counted as (
    select
        numbered.*,
        sum(greatest(numbered.ends_at - numbered.starts_at, interval '0')) over (
            partition by numbered.lineage_key, numbered.subscription_group, numbered.count_no
            order by numbered.place rows between unbounded preceding and 1 preceding
        ) + case when numbered.sale_early_by between interval '0' and {rule early_renewal}
                then numbered.sale_early_by
                else interval '0'
            end as paid_before
    from numbered
)

select subscription_key, transaction_id, product_id
from counted
where extract(epoch from paid_before) >= 365 * 86400;

analyze pg_temp.years_paid;
