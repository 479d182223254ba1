-- The rows of the workbook's Detail sheet: transactions bought, or paid back, since a day and up to the report's last one, as its
-- seal knew them, the newest first. Today's row is taken where the seal saw the run that changed it last; else the newest image
-- that it saw. Amounts in currency units, instants as whole seconds since 1970; no purchase token.
-- `is true` keeps the runs a hashed list beside one reading of the transactions: as a join, the planner may read all of them once
-- for every run.
-- billing_plan: of an App Store product whose catalogue says a year, whether the period was billed by the month or at once.
-- Grain: one row per (subscription_key, transaction_id, product_id). $1 first day, $2 how many rows at most
declare report_rows no scroll cursor for
with bound as materialized (
    select
        sold.store, scope.seal, $1::date::timestamp at time zone zone_of(sold.store, scope.time_zone) as first_at,
        (scope.through_date + 1)::timestamp at time zone zone_of(sold.store, scope.time_zone) as end_at
    from report_scope scope
    cross join (values ('app_store'), ('google_play')) sold (store)
),

seen as materialized (
    select run.run_id
    from runs run
    join report_scope scope on run.seal <= scope.seal
),

known as (
    select
        held.app_id, held.store, held.product_id, held.subscription_key, held.transaction_id,
        held.original_transaction_id, held.lineage_key, held.kind, held.country, held.purchased_at, held.period_start,
        held.period_end, held.currency, held.price_micros, held.tax_micros, held.proceeds_micros, held.price_source,
        held.proceeds_source, held.refunded_at, held.refund_kind, held.refund_micros, held.refund_source, held.environment,
        held.ownership
    from transactions held
    where (held.changed_run_id in (select seen.run_id from seen)) is true
    union all
    select
        image.app_id, image.store, image.product_id, image.subscription_key, image.transaction_id,
        image.original_transaction_id, image.lineage_key, image.kind, image.country, image.purchased_at,
        image.period_start, image.period_end, image.currency, image.price_micros, image.tax_micros,
        image.proceeds_micros, image.price_source, image.proceeds_source, image.refunded_at, image.refund_kind,
        image.refund_micros, image.refund_source, image.environment, image.ownership
    from transactions held
    cross join lateral (
        select earlier.*
        from transaction_versions earlier
        join seen on seen.run_id = earlier.run_id
        where earlier.subscription_key = held.subscription_key and earlier.transaction_id = held.transaction_id
            and earlier.product_id = held.product_id
        order by earlier.version desc
        limit 1
    ) image
    where (held.changed_run_id in (select seen.run_id from seen)) is not true
),

newest as (
    select
        known.*,
        greatest(known.purchased_at, case when known.refunded_at < bound.end_at then known.refunded_at end) as moved_at
    from known
    join bound on bound.store = known.store
    where known.purchased_at < bound.end_at
        and greatest(known.purchased_at, case when known.refunded_at < bound.end_at then known.refunded_at end)
            >= bound.first_at
    order by
        moved_at desc, known.app_id collate "C", known.subscription_key, known.transaction_id collate "C",
        known.product_id collate "C"
    limit $2::bigint
),

yearly as materialized (
    select length.app_id, length.product_id, length.valid_from, length.valid_until
    from report_scope scope
    cross join lateral report.plan_lengths(scope.seal) length
    where length.months = 12 and length.base_plan_id = ''
)

select
    newest.app_id, newest.store, newest.product_id, subscription_key, transaction_id, original_transaction_id, lineage_key, kind,
    country, floor(extract(epoch from purchased_at))::bigint as purchased_at,
    floor(extract(epoch from period_start))::bigint as period_start,
    floor(extract(epoch from period_end))::bigint as period_end,
    currency, price_micros * 0.000001 as price, tax_micros * 0.000001 as tax, proceeds_micros * 0.000001 as proceeds,
    price_source, proceeds_source,
    floor(extract(epoch from refunded_at))::bigint as refunded_at,
    refund_kind, refund_micros * 0.000001 as refund, refund_source,
    case
        when newest.store = 'app_store' and year.app_id is not null
            then case report.calendar_months(period_start, period_end) when 1 then 'monthly' when 12 then 'upfront' end
    end as billing_plan,
    environment, ownership
from newest
left join yearly year
    on year.app_id = newest.app_id
    and year.product_id = newest.product_id
    and (newest.purchased_at at time zone 'UTC')::date >= year.valid_from
    and (newest.purchased_at at time zone 'UTC')::date < year.valid_until
order by
    moved_at desc, newest.app_id collate "C", subscription_key, transaction_id collate "C", newest.product_id collate "C"
