-- Who stands where on which days: paying, in a trial, at risk, waiting, shared or set to cancel, as a seal saw it.
-- Grain: one row per stretch of days [from_day, until_day) of one lineage under one standing; who stands at the close of a
-- day D has from_day <= D < until_day. A lineage never stands twice under the same standing on a day.
--
-- active comes from the paid periods. grace, set_to_cancel and unread are parts of it: what the store granted beyond the
-- expiry, auto-renewal off, and past the paid time without a word from the store. trial is any free period but promotional and win-back offers.
-- billing_retry (hold included) and paused are lineages that are not paying.
--
-- A state stands from the day it happened, but no later than the business date of the run that learned it: what the store
-- does not date belongs to the day the run was about. The end of a grace, a retry or a pause counts when it was learned,
-- so that the waiting before it stays visible on its days; a payment that was made while the night ran ends it on its own day.
-- Who cannot be reached any more stands where they stood.
drop function if exists report.standings_as_of(bigint, text);
drop function if exists report.standings_as_of(bigint, text, bigint[]);
create function report.standings_as_of(seal bigint, time_zone text, subscriptions bigint[] default null) returns table (
    lineage_key bigint, app_id text, store text, product_id text, standing text, from_day date, until_day date,
    currency text, units numeric, scale numeric
)
language sql stable
as $$
    with pieces as materialized (
        select
            piece.*,
            paid.paid_until, paid.declared_end,
            report.day_of(piece.starts_at, piece.store, standings_as_of.time_zone) as start_day,
            report.day_of(piece.ends_at, piece.store, standings_as_of.time_zone) as end_day,
            report.day_of(paid.paid_until, piece.store, standings_as_of.time_zone) as paid_until_day,
            report.day_of(paid.declared_end, piece.store, standings_as_of.time_zone) as declared_end_day
        from report.mrr_pieces_as_of(standings_as_of.seal, standings_as_of.subscriptions) piece
        join report.paid_segments_as_of(standings_as_of.seal, standings_as_of.subscriptions) paid
            on paid.subscription_key = piece.subscription_key
            and paid.transaction_id = piece.transaction_id
            and paid.product_id = piece.product_id
    ),

    periods as materialized (
        select
            period.*,
            report.day_of(period.starts_at, period.store, standings_as_of.time_zone) as start_day,
            report.day_of(
                least(period.declared_end, lead(period.starts_at) over line), period.store, standings_as_of.time_zone
            ) as end_day
        from report.periods_as_of(standings_as_of.seal, standings_as_of.subscriptions) period
        window line as (
            partition by period.lineage_key
            order by period.starts_at, period.purchased_at, period.transaction_id, period.product_id
        )
    ),

    told as (
        select
            change.subscription_key, change.change_id, change.state, change.auto_renew,
            case
                when change.state in ('expired', 'revoked')
                    and lag(change.state) over line in ('grace', 'billing_retry', 'paused') then run.business_date
                when change.state in ('active', 'trial')
                    and lag(change.state) over line in ('grace', 'billing_retry', 'paused')
                    and change.told_at > run.logical_now
                    then report.day_of(change.told_at, owner.store, standings_as_of.time_zone)
                else least(
                    run.business_date, report.day_of(change.occurred_at, owner.store, standings_as_of.time_zone)
                )
            end as from_day
        from report.line_changes_as_of(standings_as_of.seal, standings_as_of.subscriptions) change
        join subledger.runs run on run.run_id = change.run_id
        join (select distinct subscription_key, store from periods) owner
            on owner.subscription_key = change.subscription_key
        where change.state <> 'unreachable'
        window line as (partition by change.subscription_key order by change.change_id)
    ),

    states as materialized (
        select
            told.*,
            coalesce(min(told.from_day) over (
                partition by told.subscription_key order by told.change_id
                rows between 1 following and unbounded following
            ), 'infinity') as until_day
        from told
    ),

    -- Days on which a lineage that has paid, or had a trial, pays nothing.
    gaps as (
        select
            piece.lineage_key, piece.app_id, piece.store, piece.product_id, piece.subscription_key, piece.currency,
            piece.gross_units as units, piece.scale, piece.end_day as from_day,
            lead(piece.first_day, 1, 'infinity') over (
                partition by piece.lineage_key order by piece.segment_no
            ) as until_day
        from (
            select pieces.*, min(pieces.start_day) over (partition by pieces.lineage_key, pieces.segment_no) as first_day
            from pieces
        ) piece
        where piece.is_last
        union all
        select
            free.lineage_key, free.app_id, free.store, free.product_id, free.subscription_key, null, null, null,
            free.end_day, free.until_day
        from (
            select distinct on (periods.lineage_key) periods.*, coalesce(paying.first_day, 'infinity') as until_day
            from periods
            left join (
                select pieces.lineage_key, min(pieces.start_day) as first_day from pieces group by pieces.lineage_key
            ) paying on paying.lineage_key = periods.lineage_key
            where not periods.is_paid and periods.start_day <= coalesce(paying.first_day, 'infinity')
            order by periods.lineage_key, periods.starts_at desc, periods.transaction_id desc
        ) free
    ),

    shared as (
        select
            image.lineage_key, image.app_id, image.store, image.product_id,
            report.day_of(image.period_start, image.store, standings_as_of.time_zone) as from_day,
            report.day_of(
                least(
                    image.period_end, image.refunded_at,
                    lead(image.period_start) over (
                        partition by image.lineage_key
                        order by image.period_start, image.transaction_id, image.product_id
                    )
                ), image.store, standings_as_of.time_zone
            ) as until_day
        from subledger.transactions_as_of(standings_as_of.seal, standings_as_of.subscriptions) image
        where image.environment = 'production'
            and image.ownership = 'family_shared'
            and image.kind not in ('one_time', 'top_up')
    ),

    standing as (
        select
            lineage_key, app_id, store, product_id, 'active' as standing, start_day as from_day, end_day as until_day,
            currency, gross_units as units, scale
        from pieces
        union all
        select
            lineage_key, app_id, store, product_id, 'unread', greatest(start_day, paid_until_day), end_day, currency,
            gross_units, scale
        from pieces
        where outcome = 'open'
        union all
        select
            piece.lineage_key, piece.app_id, piece.store, piece.product_id, 'grace',
            greatest(piece.start_day, piece.declared_end_day, state.from_day),
            least(piece.end_day, piece.paid_until_day, state.until_day), piece.currency, piece.gross_units, piece.scale
        from pieces piece
        join states state on state.subscription_key = piece.subscription_key and state.state = 'grace'
        union all
        select
            piece.lineage_key, piece.app_id, piece.store, piece.product_id, 'set_to_cancel',
            greatest(piece.start_day, state.from_day), least(piece.end_day, state.until_day), piece.currency,
            piece.gross_units, piece.scale
        from pieces piece
        join states state on state.subscription_key = piece.subscription_key and state.auto_renew is false
        union all
        select
            gap.lineage_key, gap.app_id, gap.store, gap.product_id, state.state, greatest(gap.from_day, state.from_day),
            least(gap.until_day, state.until_day), gap.currency, gap.units, gap.scale
        from gaps gap
        join states state
            on state.subscription_key = gap.subscription_key and state.state in ('billing_retry', 'paused')
        union all
        select lineage_key, app_id, store, product_id, 'trial', start_day, end_day, null, null, null
        from periods
        where kind = 'trial'
            and offer_type is distinct from 'promotional'
            and offer_type is distinct from 'win_back'
        union all
        select lineage_key, app_id, store, product_id, 'family_shared', from_day, until_day, null, null, null
        from shared
    )

    select
        lineage_key, app_id, store, product_id, standing, from_day, until_day, currency, units, scale
    from standing
    where from_day < until_day
$$;

comment on function report.standings_as_of is 'Stretches of days of every lineage that pays, is in a trial, at risk, awaited, paused, shared or set to cancel';
