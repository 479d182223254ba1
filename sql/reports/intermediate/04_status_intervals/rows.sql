-- The status intervals of the lineages at hand. Grain: see the table.
--
-- A state is counted from the day it happened, but no later than the business date of the run that learned it: what the store
-- does not date belongs to the day the run was about. The end of a grace, a retry or a pause counts when it was learned,
-- so that the waiting before it stays visible on its days; a payment that was made while the night ran ends it on its own day.
-- Who cannot be reached any more stays in the last state; who waits in an app that is retired waits until the day of that.
create temp table new_status_intervals on commit drop as
with free_and_paid as materialized (
    select
        period.*,
        marts.day_of(period.starts_at, period.store, scope.time_zone) as start_day,
        marts.day_of(
            least(period.declared_end, lead(period.starts_at) over line), period.store, scope.time_zone
        ) as end_day
    from pg_temp.new_subscription_periods period
    cross join pg_temp.report_scope scope
    window line as (partition by period.lineage_key order by period.place)
),

dated as (
    select
        change.subscription_key, change.is_carried, change.change_id, change.state, change.auto_renew,
        case
            when change.state in ('expired', 'revoked')
                and lag(change.state) over line in ('grace', 'billing_retry', 'paused') then change.business_date
            when change.state in ('active', 'trial')
                and lag(change.state) over line in ('grace', 'billing_retry', 'paused')
                and change.reported_at > change.logical_now
                then marts.day_of(change.reported_at, owner.store, scope.time_zone)
            else least(change.business_date, marts.day_of(change.occurred_at, owner.store, scope.time_zone))
        end as from_day
    from pg_temp.known_changes change
    cross join pg_temp.report_scope scope
    join (select distinct subscription_key, store from free_and_paid) owner
        on owner.subscription_key = change.subscription_key
    where change.state <> 'unreachable'
    window line as (partition by change.subscription_key order by change.is_carried, change.change_id)
),

states as materialized (
    select
        dated.*,
        coalesce(min(dated.from_day) over (
            partition by dated.subscription_key order by dated.is_carried, dated.change_id
            rows between 1 following and unbounded following
        ), 'infinity') as until_day
    from dated
),

-- Days on which a lineage that has paid, or had a trial, pays nothing.
gaps as (
    select
        last_paid.lineage_key, last_paid.app_id, last_paid.store, last_paid.product_id, last_paid.subscription_key,
        last_paid.currency, last_paid.mrr_nanos, last_paid.mrr_reporting_nanos, last_paid.end_day as from_day,
        lead(last_paid.segment_start_day, 1, 'infinity') over (
            partition by last_paid.lineage_key order by last_paid.segment_no
        ) as until_day
    from pg_temp.new_paid_periods last_paid
    where last_paid.is_last
    union all
    select
        free.lineage_key, free.app_id, free.store, free.product_id, free.subscription_key, null, null, null, free.end_day,
        free.until_day
    from (
        select distinct on (free_and_paid.lineage_key)
            free_and_paid.*, coalesce(paying.first_day, 'infinity') as until_day
        from free_and_paid
        left join (
            select lineage_key, min(start_day) as first_day from pg_temp.new_paid_periods group by lineage_key
        ) paying on paying.lineage_key = free_and_paid.lineage_key
        where not free_and_paid.is_paid and free_and_paid.start_day <= coalesce(paying.first_day, 'infinity')
        order by free_and_paid.lineage_key, free_and_paid.starts_at desc, free_and_paid.transaction_id desc
    ) free
),

shared as (
    select
        image.lineage_key, image.app_id, image.store, image.product_id,
        marts.day_of(image.period_start, image.store, scope.time_zone) as from_day,
        marts.day_of(
            least(
                greatest(image.period_end, image.extended_until), image.refunded_at,
                lead(image.period_start) over (
                    partition by image.lineage_key
                    order by image.period_start, image.transaction_id, image.product_id
                )
            ), image.store, scope.time_zone
        ) as until_day
    from pg_temp.known_transactions image
    cross join pg_temp.report_scope scope
    where image.environment = 'production'
        and image.ownership = 'family_shared'
        and image.kind not in ('one_time', 'top_up')
),

intervals as (
    select
        lineage_key, app_id, store, product_id, 'active' as status, start_day as from_day, end_day as until_day, currency,
        mrr_nanos, mrr_reporting_nanos, seats
    from pg_temp.new_paid_periods
    union all
    select
        lineage_key, app_id, store, product_id, 'unread', greatest(start_day, paid_until_day), end_day, currency, mrr_nanos,
        mrr_reporting_nanos, null
    from pg_temp.new_paid_periods
    -- Of an app that is retired, until that day.
    where outcome in ('open', 'retired')
    union all
    select
        paid.lineage_key, paid.app_id, paid.store, paid.product_id, 'grace',
        greatest(paid.start_day, paid.declared_end_day, states.from_day),
        least(paid.end_day, paid.paid_until_day, states.until_day), paid.currency, paid.mrr_nanos,
        paid.mrr_reporting_nanos, null
    from pg_temp.new_paid_periods paid
    join states on states.subscription_key = paid.subscription_key and states.state = 'grace'
    union all
    select
        paid.lineage_key, paid.app_id, paid.store, paid.product_id, 'set_to_cancel',
        greatest(paid.start_day, states.from_day), least(paid.end_day, states.until_day), paid.currency, paid.mrr_nanos,
        paid.mrr_reporting_nanos, null
    from pg_temp.new_paid_periods paid
    join states on states.subscription_key = paid.subscription_key and states.auto_renew is false
    union all
    select
        gaps.lineage_key, gaps.app_id, gaps.store, gaps.product_id, states.state, greatest(gaps.from_day, states.from_day),
        least(gaps.until_day, states.until_day, retired.retired_on), gaps.currency, gaps.mrr_nanos,
        gaps.mrr_reporting_nanos, null
    from gaps
    join states
        on states.subscription_key = gaps.subscription_key and states.state in ('billing_retry', 'paused')
    left join pg_temp.retired_apps retired on retired.app_id = gaps.app_id
    union all
    select lineage_key, app_id, store, product_id, 'trial', start_day, end_day, null, null, null, null
    from free_and_paid
    where is_trial
    union all
    select lineage_key, app_id, store, product_id, 'family_shared', from_day, until_day, null, null, null, null
    from shared
)

select lineage_key, app_id, store, product_id, status, from_day, until_day, currency, mrr_nanos, mrr_reporting_nanos,
    seats
from intervals
where from_day < until_day;

analyze pg_temp.new_status_intervals;
