-- Transactions of the lineages at hand that follow a year of paid service in their subscription group.
-- Grain: one row per transaction of such a kind.
-- Days of payment add up over product changes; a lapse of up to 60 days stops the count, a longer one restarts it.
-- Free time does not count, nor what was refunded or superseded; a year is 365 days. A charge that comes up to 26 hours before
-- the end of the period before it counts that period whole: a yearly plan's second and a monthly plan's 13th charge follow a
-- year, also when they come a day early.
create temp table years_paid on commit drop as
with paid as (
    select
        image.subscription_key, image.transaction_id, image.product_id, image.lineage_key,
        coalesce(image.subscription_group, '') as subscription_group, image.period_start as starts_at,
        least(
            image.period_end,
            case
                when image.store = 'google_play' then image.refunded_at
                else report.cut_at(image.store, image.refunded_at, image.refund_kind, image.refund_parts)
            end,
            lead(image.period_start) over line
        ) as ends_at,
        least(
            image.period_end,
            case
                when image.store = 'google_play' then image.refunded_at
                else report.cut_at(image.store, image.refunded_at, image.refund_kind, image.refund_parts)
            end
        ) as served_until,
        row_number() over line as place
    from pg_temp.known_transactions image
    where image.environment = 'production'
        and image.ownership = 'purchased'
        and image.kind not in ('trial', 'one_time', 'top_up')
        and image.price_micros is distinct from 0
    window line as (
        partition by image.lineage_key, coalesce(image.subscription_group, '')
        order by image.period_start, image.purchased_at, image.transaction_id, image.product_id
    )
),

spans as (
    select
        paid.*,
        paid.starts_at > lag(paid.ends_at) over (
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
        ) as count_no
    from spans
),

counted as (
    select
        numbered.*,
        sum(greatest(numbered.ends_at - numbered.starts_at, interval '0')) over (
            partition by numbered.lineage_key, numbered.subscription_group, numbered.count_no
            order by numbered.place rows between unbounded preceding and 1 preceding
        ) + case when numbered.early_by between interval '0' and interval '26 hours' then numbered.early_by else interval '0' end
            as paid_before
    from numbered
)

select subscription_key, transaction_id, product_id
from counted
where extract(epoch from paid_before) >= 365 * 86400;

analyze pg_temp.years_paid;
