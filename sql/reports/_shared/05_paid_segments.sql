-- Unbroken stretches of payment as a seal saw them, cut into pieces where a period gave way to the next.
-- Grain: one row per paid period of a lineage; the pieces of a lineage never overlap, and those of one segment_no touch.
-- paid_until is where the whole segment's paid time ends, grace included, whatever the store has declared since.
--
-- A gap of up to 24 hours is bridged: the earlier piece reaches to the later one. Where periods overlap, the one that
-- started last is the current one. The last piece of a segment carries its outcome:
--   open          the store has not declared an end: active, whatever the expiry says (ends_at is infinity); one that cannot be
--                 reached any more stands where it last stood
--   voluntary, involuntary, price, product, refund, other    declared ended, for that reason
--   lapsed        payment is or was awaited (billing retry, hold), or the lineage came back by a recovery
--   paused, free, replaced    left the paying ones without churn
drop function if exists report.paid_segments_as_of(bigint);
drop function if exists report.paid_segments_as_of(bigint, bigint[]);
create function report.paid_segments_as_of(seal bigint, subscriptions bigint[] default null) returns table (
    lineage_key bigint, segment_no bigint, app_id text, store text, product_id text, starts_at timestamptz,
    ends_at timestamptz, segment_starts_at timestamptz, is_last boolean, outcome text, subscription_key bigint,
    transaction_id text, kind text, purchased_at timestamptz, period_end timestamptz, declared_end timestamptz,
    paid_until timestamptz, is_refunded boolean, offer_type text, price_micros bigint,
    tax_micros bigint, proceeds_micros bigint, recurring_price_micros bigint, currency text, base_plan_id text,
    first_starts_at timestamptz
)
language sql stable
as $$
    with in_line as (
        select
            period.*,
            lead(period.subscription_key) over line as next_subscription_key,
            lead(period.starts_at) over line as next_starts_at,
            lead(period.kind) over line as next_kind,
            lead(period.is_paid) over line as next_is_paid,
            max(period.covered_until) filter (where period.is_paid) over (
                line rows between unbounded preceding and 1 preceding
            ) as paid_until
        from report.periods_as_of(paid_segments_as_of.seal, paid_segments_as_of.subscriptions) period
        window line as (
            partition by period.lineage_key
            order by period.starts_at, period.purchased_at, period.transaction_id, period.product_id
        )
    ),

    numbered as (
        select
            paid.*,
            row_number() over line as place,
            count(*) filter (
                where paid.paid_until is null or paid.starts_at > paid.paid_until + interval '24 hours'
            ) over line as segment_no
        from in_line paid
        where paid.is_paid
        window line as (
            partition by paid.lineage_key
            order by paid.starts_at, paid.purchased_at, paid.transaction_id, paid.product_id
        )
    ),

    pieces as materialized (
        select
            piece.*,
            lead(piece.starts_at) over segment as next_piece_at,
            lead(piece.starts_at) over segment is null as is_last,
            min(piece.starts_at) over whole as segment_starts_at,
            max(piece.covered_until) over whole as segment_ends_at
        from numbered piece
        window whole as (partition by piece.lineage_key, piece.segment_no),
            segment as (partition by piece.lineage_key, piece.segment_no order by piece.place)
    ),

    heard as (
        select
            piece.lineage_key, piece.segment_no,
            (array_agg(change.state order by change.change_id desc))[1] as last_state,
            (array_agg(change.end_reason order by change.change_id desc))[1] as last_reason,
            (array_agg(coalesce(change.end_reason, 'unknown') order by change.change_id desc) filter (
                where change.state in ('expired', 'revoked') and meanwhile
            ))[1] as reason_meanwhile,
            bool_or(change.state in ('grace', 'billing_retry') and meanwhile) as awaited_meanwhile,
            bool_or(change.state = 'paused' and meanwhile) as paused_meanwhile
        from pieces piece
        join report.line_changes_as_of(paid_segments_as_of.seal, paid_segments_as_of.subscriptions) change
            on change.subscription_key = piece.subscription_key
        cross join lateral (
            select told_at >= piece.declared_end and told_at < piece.next_starts_at as meanwhile
            from (select coalesce(change.told_at, change.recorded_at)) change_time (told_at)
        ) time
        where piece.is_last and change.state <> 'unreachable'
        group by piece.lineage_key, piece.segment_no
    ),

    told as (
        select
            piece.*,
            case
                when not piece.is_last then null
                -- It gave way to a bundle: nobody left.
                when piece.ended_by = 'revoke' and heard.last_reason = 'replaced' then 'replaced'
                when piece.ended_by is not null then piece.ended_by
                when piece.next_starts_at is null then case
                    when heard.last_state in ('expired', 'revoked') then coalesce(heard.last_reason, 'unknown')
                    when heard.last_state = 'billing_retry' then 'lapsed'
                    when heard.last_state = 'paused' then 'paused'
                    else 'open'
                end
                when heard.reason_meanwhile is not null then heard.reason_meanwhile
                when not piece.next_is_paid
                    and piece.next_starts_at <= piece.segment_ends_at + interval '24 hours' then 'free'
                when heard.awaited_meanwhile then 'lapsed'
                when heard.paused_meanwhile then 'paused'
                when piece.next_kind = 'renewal' then 'lapsed'
                -- This purchase ended for good and another one continues the lineage: the reason it ended for counts, also
                -- where that was recorded after the other one had begun.
                when piece.next_subscription_key <> piece.subscription_key and heard.last_state in ('expired', 'revoked')
                    then coalesce(heard.last_reason, 'unknown')
                else 'other'
            end as ended_as
        from pieces piece
        left join heard on heard.lineage_key = piece.lineage_key and heard.segment_no = piece.segment_no
    )

    select
        lineage_key, segment_no, app_id, store, product_id, starts_at,
        case when ended_as = 'open' then 'infinity' else coalesce(next_piece_at, segment_ends_at) end,
        segment_starts_at,
        is_last,
        case when ended_as in ('developer', 'revoke', 'unknown') then 'other' else ended_as end,
        subscription_key, transaction_id, kind, purchased_at, period_end, declared_end, segment_ends_at,
        is_refunded, offer_type, price_micros, tax_micros, proceeds_micros, recurring_price_micros, currency, base_plan_id,
        first_starts_at
    from told
$$;

comment on function report.paid_segments_as_of is 'Unbroken stretches of payment by lineage, piece by piece, and how each ended';
