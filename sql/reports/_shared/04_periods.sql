-- Periods of auto-renewing subscriptions as a seal saw them, paid and free, each with its effective end.
-- Grain: one row per period of a lineage that covers any time at all; production and purchased only.
--
-- declared_end: the expiry, the refund or revocation if earlier, or the start of the successor that replaced it.
-- covered_until: the same, but with the end of the grace in place of the expiry where the store granted one.
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
            least(renewing.refunded_at, case when renewing.is_upgraded then renewing.successor_start end) as cut_at,
            coalesce(grace.ends_at, renewing.period_end) as unpaid_end
        from renewing
        left join graces grace
            on grace.subscription_key = renewing.subscription_key and grace.expires_at = renewing.period_end
    )

    select
        lineage_key, subscription_key, transaction_id, app_id, store, product_id, kind,
        kind <> 'trial' and price_micros is distinct from 0,
        refunded_at is not null,
        purchased_at, period_start,
        least(period_end, cut_at),
        least(unpaid_end, cut_at)
    from ended
    where least(unpaid_end, cut_at) > period_start
$$;

comment on function report.periods_as_of is 'Periods of auto-renewing subscriptions, paid and free, with their effective ends';
