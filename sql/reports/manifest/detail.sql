-- The rows of the workbook's Detail sheet: transactions bought, or paid back, since a day and up to the report's last one, as its
-- seal knew them, the newest first. Today's row is taken where the seal saw the run that changed it last; else the newest image
-- that it saw. Amounts in currency units, instants as whole seconds since 1970; no purchase token.
-- Only the newest rows by purchase and the newest by refund are looked at, by their indexes: the sheet ends long before a large
-- history does. They are read in the order of the index, with all that share the last one's instant: where more columns gave the
-- order, all of the days were sorted (of a million transactions, 2.0 s of 2.3).
-- billing_plan: of an App Store product whose catalogue says a year, whether the period was billed by the month or at once.
-- Grain: one row per (subscription_key, transaction_id, product_id). $1 first day, $2 how many rows at most
declare report_rows no scroll cursor for
with bound as materialized (
    select
        sold.store, $1::date::timestamp at time zone zone_of(sold.store, scope.time_zone) as first_at,
        (scope.through_date + 1)::timestamp at time zone zone_of(sold.store, scope.time_zone) as end_at
    from report_scope scope
    cross join (values ('app_store'), ('google_play')) sold (store)
),

-- Of both stores: what an index is asked for.
span as materialized (
    select min(bound.first_at) as first_at, max(bound.end_at) as end_at from bound
),

-- Mostly there is none: the newest report is asked for.
later as materialized (
    select array(
        select run.run_id
        from subledger.runs run
        cross join report_scope scope
        where run.seal is null or run.seal > scope.seal
    ) as runs
),

bought as (
    select held.*
    from subledger.transactions held
    where held.purchased_at >= (select span.first_at from span) and held.purchased_at < (select span.end_at from span)
        and held.purchased_at >= (select bound.first_at from bound where bound.store = held.store)
        and held.purchased_at < (select bound.end_at from bound where bound.store = held.store)
        and held.changed_run_id <> all ((select later.runs from later)::bigint[])
    order by held.purchased_at desc
    fetch first ($2::bigint) rows with ties
),

paid_back as (
    select held.*
    from subledger.transactions held
    where held.refunded_at >= (select span.first_at from span) and held.refunded_at < (select span.end_at from span)
        and held.refunded_at >= (select bound.first_at from bound where bound.store = held.store)
        and greatest(held.refunded_at, held.purchased_at) < (select bound.end_at from bound where bound.store = held.store)
        and held.changed_run_id <> all ((select later.runs from later)::bigint[])
    order by held.refunded_at desc
    fetch first ($2::bigint) rows with ties
),

changed_since as (
    select image.*
    from subledger.transactions held
    cross join lateral (
        select earlier.*
        from subledger.transaction_versions earlier
        where earlier.subscription_key = held.subscription_key and earlier.transaction_id = held.transaction_id
            and earlier.product_id = held.product_id
            and earlier.run_id <> all ((select later.runs from later)::bigint[])
        order by earlier.version desc
        limit 1
    ) image
    where (select cardinality(later.runs) from later) > 0
        and held.changed_run_id = any ((select later.runs from later)::bigint[])
),

-- What was bought and paid back within the days is found twice.
unchanged as (
    select bought.* from bought
    union
    select paid_back.* from paid_back
),

known as (
    select
        app_id, store, product_id, subscription_key, transaction_id, original_transaction_id, lineage_key, kind, country,
        purchased_at, period_start, period_end, currency, price_micros, tax_micros, proceeds_micros, price_source,
        proceeds_source, refunded_at, refund_kind, refund_micros, refund_source, environment, ownership
    from unchanged
    union all
    select
        app_id, store, product_id, subscription_key, transaction_id, original_transaction_id, lineage_key, kind, country,
        purchased_at, period_start, period_end, currency, price_micros, tax_micros, proceeds_micros, price_source,
        proceeds_source, refunded_at, refund_kind, refund_micros, refund_source, environment, ownership
    from changed_since
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
            then case subledger.calendar_months(period_start, period_end) when 1 then 'monthly' when 12 then 'upfront' end
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
