-- rests on: subledger.is_replacement_deferred, subledger.lineage_links, subledger.runs, subledger.state_changes,
-- rests on: subledger.transaction_versions
-- The state changes of the lineages at hand as the seal saw them, each said of the purchase whose order it is about.
-- Grain: one row per change, and one more for each that a later purchase carries (is_carried).
--
-- Google Play's deferred replacement makes a new purchase at once: it runs to the end of what the old one's order paid for,
-- and is charged only then. So does one that adds a product and retains the old one's: its first order is the added product's
-- alone. Until its first order for the whole, what the store says of the new purchase is said of the old one's order, after
-- all that was said of it before (the order is by is_carried, then by change_id); that the old one was replaced is not.
create temp table known_changes on commit drop as
with links as (
    select distinct link.subscription_key as carrier_key, link.linked_subscription_key as older_key
    from pg_temp.marked_lineages
    join subledger.lineage_links link on link.subscription_key = marked_lineages.key
    join subledger.runs run on run.run_id = link.recorded_run_id
    join pg_temp.report_scope scope on run.seal <= scope.seal
),

images as (
    select image.*
    from (select carrier_key as key from links union select older_key from links) linked
    join subledger.transaction_versions image on image.subscription_key = linked.key
    join subledger.runs run on run.run_id = image.run_id
    join pg_temp.report_scope scope on run.seal <= scope.seal
    where image.kind <> 'one_time'
),

older as (
    select subscription_key, max(period_end) as last_period_end, bool_or(price_micros > 0) as has_paid
    from images
    group by subscription_key
),

-- first_order_at: when the purchase's first order was charged, that of an added product apart (bought, and no change of the
-- plan, while the older one's paid time ran on); infinity where there is none.
carriers as (
    select
        links.carrier_key, links.older_key, older.last_period_end,
        coalesce(
            min(own.purchased_at) filter (
                where not coalesce(
                    older.has_paid and own.kind = 'purchase' and not own.is_trial_conversion
                    and own.period_start + {rule continuous_gap} < older.last_period_end, false)
            ), 'infinity'
        ) as first_order_at
    from links
    left join older on older.subscription_key = links.older_key
    left join images own on own.subscription_key = links.carrier_key
    group by links.carrier_key, links.older_key, older.last_period_end
),

changes as (
    select change.*, coalesce(change.reported_at, change.recorded_at) as known_at, run.business_date, run.logical_now
    from pg_temp.marked_lineages
    join subledger.state_changes change on change.subscription_key = marked_lineages.key
    join subledger.runs run on run.run_id = change.run_id
    join pg_temp.report_scope scope on run.seal <= scope.seal
),

-- A purchase that has not started to run carries nothing, nor one that runs to another day than the older order: that one is
-- waiting for its own.
carried as (
    select carriers.*
    from carriers
    where exists (
        select
        from changes
        where changes.subscription_key = carriers.carrier_key
            and changes.state in ('active', 'trial', 'grace')
            and changes.known_at < carriers.first_order_at
            and changes.expires_at between carriers.last_period_end - {rule carried_expiry}
                and carriers.last_period_end + {rule carried_expiry}
    )
),

-- Purchases that another one went on with, whether it still rests on their order or has one of its own by now.
continued as (
    select older_key as subscription_key from carried
    union
    select newest.subscription_key
    from (
        select distinct on (images.subscription_key) images.subscription_key, images.store, images.is_upgraded
        from images
        where images.subscription_key in (select older_key from links)
        order by images.subscription_key, images.period_end desc nulls last, images.version desc
    ) newest
    where subledger.is_replacement_deferred(newest.store, newest.is_upgraded)
)

select
    changes.subscription_key, false as is_carried, changes.change_id, changes.state, changes.auto_renew, changes.expires_at,
    changes.grace_expires_at, changes.end_reason, changes.occurred_at, changes.known_at, changes.reported_at,
    changes.business_date, changes.logical_now, changes.renewal_price_micros, changes.renewal_currency
from changes
where changes.end_reason is distinct from 'replaced'
    or changes.subscription_key not in (select continued.subscription_key from continued)
union all
select
    carried.older_key, true, changes.change_id, changes.state, changes.auto_renew, changes.expires_at,
    changes.grace_expires_at, changes.end_reason, changes.occurred_at, changes.known_at, changes.reported_at,
    changes.business_date, changes.logical_now, changes.renewal_price_micros, changes.renewal_currency
from carried
join changes on changes.subscription_key = carried.carrier_key
where changes.known_at < carried.first_order_at and changes.state <> 'pending';

create index on pg_temp.known_changes (subscription_key);
analyze pg_temp.known_changes;
