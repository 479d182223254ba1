-- rests on: marts.plan_lengths, marts.zone_of, subledger.calendar_months, subledger.is_months_long,
-- rests on: subledger.is_year_billed_by_month, subledger.length_of, subledger.products, subledger.runs,
-- rests on: subledger.time_zone_of_store, subledger.transaction_versions, subledger.transactions
-- Single transactions as the seal knew them: what was bought, or paid back, on the days of the scope.
-- Today's row is taken where the seal saw the run that changed it last; else the newest image that it saw.
-- Grain: one row per (subscription_key, transaction_id, product_id). Amounts in currency units; no purchase token.
--
-- billing_plan: of an App Store product whose catalogue says a year, whether the period was billed by the month or at once.
-- Nothing here prevents a condition on the key from using the index: who asks for some rows gets them at once.
create view transactions (
    app_id, store, product_id, subscription_key, transaction_id, original_transaction_id, lineage_key, kind, country,
    purchased_at, period_start, period_end, currency, price, tax, proceeds, price_source, proceeds_source, refunded_at,
    refund_kind, refund, refund_source, billing_plan, environment, ownership
) as
with bound as materialized (
    select
        scope.from_date::timestamp at time zone marts.zone_of('app_store', scope.time_zone) as app_store_first,
        (scope.through_date + 1)::timestamp at time zone marts.zone_of('app_store', scope.time_zone) as app_store_end,
        scope.from_date::timestamp at time zone marts.zone_of('google_play', scope.time_zone) as google_play_first,
        (scope.through_date + 1)::timestamp at time zone marts.zone_of('google_play', scope.time_zone) as google_play_end
    from report_scope scope
),

yearly as materialized (
    select
        length.app_id, length.product_id, length.valid_from, length.valid_until,
        length.valid_from = '-infinity' and length.valid_until = 'infinity' as is_undated
    from report_scope scope
    cross join lateral marts.plan_lengths(scope.seal) length
    where length.months = 12 and length.base_plan_id = ''
)

select
    known.app_id, known.store, known.product_id, known.subscription_key, known.transaction_id,
    known.original_transaction_id, known.lineage_key, known.kind, known.country, known.purchased_at, known.period_start,
    known.period_end, known.currency, known.price_micros * 0.000001, known.tax_micros * 0.000001,
    known.proceeds_micros * 0.000001, known.price_source, known.proceeds_source, known.refunded_at, known.refund_kind,
    known.refund_micros * 0.000001, known.refund_source,
    case
        when subledger.is_year_billed_by_month(known.store)
            -- Found by hash: thousands of apps have as many of these products.
            and (
                (known.app_id, known.product_id) in (select year.app_id, year.product_id from yearly year where year.is_undated)
                or (known.app_id, known.product_id) in (
                    select year.app_id, year.product_id from yearly year where not year.is_undated
                )
                and exists (
                    select
                    from yearly year
                    where year.app_id = known.app_id
                        and year.product_id = known.product_id
                        and not year.is_undated
                        and (known.purchased_at at time zone 'UTC')::date >= year.valid_from
                        and (known.purchased_at at time zone 'UTC')::date < year.valid_until
                )
            )
            then case subledger.calendar_months(known.period_start, known.period_end)
                when 1 then 'monthly'
                when 12 then 'upfront'
            end
    end,
    known.environment, known.ownership
from (
    select
        stored.app_id, stored.store, stored.product_id, stored.subscription_key, stored.transaction_id,
        stored.original_transaction_id, stored.lineage_key, stored.kind, stored.country, stored.purchased_at,
        stored.period_start, stored.period_end, stored.currency, stored.price_micros, stored.tax_micros,
        stored.proceeds_micros, stored.price_source, stored.proceeds_source, stored.refunded_at, stored.refund_kind,
        stored.refund_micros, stored.refund_source, stored.environment, stored.ownership
    from subledger.transactions stored
    join subledger.runs run on run.run_id = stored.changed_run_id
    where run.seal <= (select scope.seal from report_scope scope)
    union all
    select
        image.app_id, image.store, stored.product_id, stored.subscription_key, stored.transaction_id,
        image.original_transaction_id, image.lineage_key, image.kind, image.country, image.purchased_at, image.period_start,
        image.period_end, image.currency, image.price_micros, image.tax_micros, image.proceeds_micros, image.price_source,
        image.proceeds_source, image.refunded_at, image.refund_kind, image.refund_micros, image.refund_source,
        image.environment, image.ownership
    from subledger.transactions stored
    join subledger.runs run on run.run_id = stored.changed_run_id
    cross join lateral (
        select earlier.*
        from subledger.transaction_versions earlier
        join subledger.runs writer on writer.run_id = earlier.run_id
        where earlier.subscription_key = stored.subscription_key and earlier.transaction_id = stored.transaction_id
            and earlier.product_id = stored.product_id
            and writer.seal <= (select scope.seal from report_scope scope)
        order by earlier.version desc
        limit 1
    ) image
    -- Mostly there is no later run, and nothing is read.
    where exists (
            select from subledger.runs later
            where later.seal is null or later.seal > (select scope.seal from report_scope scope)
        )
        and (run.seal is null or run.seal > (select scope.seal from report_scope scope))
) known
-- Not joined: a million rows then take half as long.
cross join lateral (
    select
        case known.store
            when 'app_store' then (select bound.app_store_first from bound)
            else (select bound.google_play_first from bound)
        end as first_at,
        case known.store
            when 'app_store' then (select bound.app_store_end from bound)
            else (select bound.google_play_end from bound)
        end as end_at
) days
where known.purchased_at < days.end_at
    and (known.purchased_at >= days.first_at or (known.refunded_at >= days.first_at and known.refunded_at < days.end_at));
