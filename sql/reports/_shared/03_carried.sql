-- What a purchase that has no order of its own yet says of the order it stands on. Google Play's deferred replacement makes a
-- new purchase at once: it runs to the end of what the old one's order paid for, and is charged only then. So does one that adds
-- a product and keeps the old one's: its first order is the added product's alone. Until its first order for the whole the old
-- purchase is told as replaced, and what becomes of the customer is told of the new one.

-- Purchases that stand on the order of the one they continue. Grain: one row per such link; first_order_at: when the first
-- order of its own was charged, that of an added product apart (bought, and no change of the plan, while the older one's paid
-- time ran on); infinity where there is none. A purchase that has not begun to run carries nothing on, nor one
-- that runs to another day than the older order: that one is waiting for its own.
drop function if exists report.carried_as_of(bigint, bigint[]);
create function report.carried_as_of(seal bigint, subscriptions bigint[] default null) returns table (
    carrier_key bigint, subscription_key bigint, first_order_at timestamptz
)
language sql stable
as $$
    with links as materialized (
        select distinct link.subscription_key as carrier_key, link.linked_subscription_key as older_key
        from subledger.lineage_links link
        join subledger.runs run on run.run_id = link.recorded_run_id
        where run.seal <= carried_as_of.seal
            and (
                carried_as_of.subscriptions is null or link.subscription_key = any (carried_as_of.subscriptions)
            )
    ),

    dated as (
        select
            links.carrier_key, links.older_key, coalesce(own.first_order_at, 'infinity') as first_order_at,
            older.last_period_end
        from links
        cross join lateral (
            select max(image.period_end) as last_period_end, bool_or(image.price_micros > 0) as has_paid
            from subledger.transaction_versions image
            join subledger.runs run on run.run_id = image.run_id
            where image.subscription_key = links.older_key
                and image.kind <> 'one_time'
                and run.seal <= carried_as_of.seal
        ) older
        cross join lateral (
            select min(image.purchased_at) as first_order_at
            from subledger.transaction_versions image
            join subledger.runs run on run.run_id = image.run_id
            where image.subscription_key = links.carrier_key
                and image.kind <> 'one_time'
                and not coalesce(
                    older.has_paid and image.kind = 'purchase' and not image.is_trial_conversion
                    and image.period_start + interval '24 hours' < older.last_period_end, false
                )
                and run.seal <= carried_as_of.seal
        ) own
    )

    select dated.carrier_key, dated.older_key, dated.first_order_at
    from dated
    where exists (
        select
        from subledger.state_changes change
        join subledger.runs run on run.run_id = change.run_id
        where change.subscription_key = dated.carrier_key
            and run.seal <= carried_as_of.seal
            and change.state in ('active', 'trial', 'grace')
            and coalesce(change.told_at, change.recorded_at) < dated.first_order_at
            and change.expires_at between dated.last_period_end - interval '24 hours'
                and dated.last_period_end + interval '24 hours'
    )
$$;

-- Purchases that another one went on with, as their newest images say, whether it still stands on their order or has one of its
-- own by now. Grain: one row per such purchase.
drop function if exists report.went_on_as_of(bigint, bigint[]);
create function report.went_on_as_of(seal bigint, subscriptions bigint[] default null) returns table (
    subscription_key bigint
)
language sql stable
as $$
    select older.subscription_key
    from (
        select distinct link.linked_subscription_key as subscription_key
        from subledger.lineage_links link
        join subledger.runs run on run.run_id = link.recorded_run_id
        where run.seal <= went_on_as_of.seal
            and (
                went_on_as_of.subscriptions is null
                or link.linked_subscription_key = any (went_on_as_of.subscriptions)
            )
    ) older
    cross join lateral (
        select image.store, image.is_upgraded
        from subledger.transaction_versions image
        join subledger.runs run on run.run_id = image.run_id
        where image.subscription_key = older.subscription_key
            and image.kind <> 'one_time'
            and run.seal <= went_on_as_of.seal
        order by image.period_end desc nulls last, image.version desc
        limit 1
    ) newest
    where newest.store = 'google_play' and not newest.is_upgraded
$$;

-- The changes of subscriptions, as those who judge the periods of a line read them: what a purchase says that stands on an
-- older one's order is said of that order, after all that was said of it before; that the older one was replaced is not.
-- Grain: one row per change, and one more for each that is carried on.
drop function if exists report.line_changes_as_of(bigint, bigint[]);
create function report.line_changes_as_of(
    seal bigint, subscriptions bigint[] default null
) returns setof subledger.state_changes
language sql stable
as $$
    with carried as materialized (
        select * from report.carried_as_of(line_changes_as_of.seal, line_changes_as_of.subscriptions)
    )

    select change.*
    from subledger.state_changes_as_of(line_changes_as_of.seal, line_changes_as_of.subscriptions) change
    where change.end_reason is distinct from 'replaced'
        or change.subscription_key not in (
            select carried.subscription_key
            from carried
            union all
            select went_on.subscription_key
            from report.went_on_as_of(line_changes_as_of.seal, line_changes_as_of.subscriptions) went_on
        )
    union all
    select (jsonb_populate_record(
        change, jsonb_build_object('subscription_key', carried.subscription_key, 'change_id', 1000000 + change.change_id)
    )).*
    from carried
    join subledger.state_changes change on change.subscription_key = carried.carrier_key
    join subledger.runs run on run.run_id = change.run_id
    where run.seal <= line_changes_as_of.seal
        and coalesce(change.told_at, change.recorded_at) < carried.first_order_at
        and change.state <> 'pending'
$$;

comment on function report.carried_as_of is 'Purchases without an order of their own yet, that stand on the order of the one they continue';
comment on function report.went_on_as_of is 'Google Play purchases that the one after them went on with: nothing of them was cut short';
comment on function report.line_changes_as_of is 'The state changes, each said of the purchase whose order it is about';
