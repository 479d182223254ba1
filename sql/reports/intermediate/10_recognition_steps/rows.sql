-- The recognition steps of the lineages at hand. Grain: see the table.
--
-- A sale without a period is recognised at once; so is what was left of a period that an App Store upgrade superseded, when
-- its successor begins: the store does not report its credit.
create temp table new_recognition_steps on commit drop as
with served as (
    select
        image.subscription_key, image.transaction_id, image.product_id, image.lineage_key, image.app_id, image.store,
        image.period_start as starts_at,
        -- What covers no time, or ends before it starts, is earned once it has started.
        case when image.period_end > image.period_start
            then marts.microseconds(image.period_end) - marts.microseconds(image.period_start)
            else 1
        end as length_us,
        coalesce(
            least(image.period_end, case when image.is_upgraded then first_value(image.period_start) over later end),
            image.period_start
        ) as ends_at,
        image.is_upgraded
            and coalesce(first_value(image.period_start) over later < image.period_end, false) as is_cut
    from pg_temp.known_transactions image
    -- The products of one order are peers here: what took the place of one took that of all.
    window later as (
        partition by image.lineage_key
        order by image.period_start, image.purchased_at, image.transaction_id
        groups between 1 following and unbounded following
    )
),

-- The money of a transaction changes on few days: what it comes to at the end of each of them.
changes as (
    select
        subscription_key, transaction_id, product_id, currency, day, sum(amount_micros)::bigint as micros,
        sum(reporting_micros) as reporting_micros
    from pg_temp.new_money_movements
    group by subscription_key, transaction_id, product_id, currency, day
)

select
    served.lineage_key, served.subscription_key, served.transaction_id, served.product_id, served.app_id, served.store,
    change.currency, change.day, lead(change.day) over line as next_day, served.starts_at, served.ends_at,
    marts.day_of(served.starts_at, served.store, scope.time_zone) as first_day,
    marts.day_of(
        greatest(
            served.starts_at, served.ends_at - case when served.is_cut then interval '0' else interval '1 microsecond' end),
        served.store, scope.time_zone
    ) as last_day,
    served.length_us, marts.zone_of(served.store, scope.time_zone) as zone,
    (sum(change.micros) over line)::bigint as micros,
    (sum(change.micros) over line - change.micros)::bigint as micros_before,
    sum(change.reporting_micros) over line as reporting_micros,
    sum(change.reporting_micros) over line - change.reporting_micros as reporting_micros_before
from changes change
join served
    on served.subscription_key = change.subscription_key
    and served.transaction_id = change.transaction_id
    and served.product_id = change.product_id
cross join pg_temp.report_scope scope
window line as (
    partition by change.subscription_key, change.transaction_id, change.product_id, change.currency order by change.day
);

analyze pg_temp.new_recognition_steps;
