-- Proves that today's transactions are what the history says: each row equals its newest image, and none is missing on
-- either side. What a later run has changed since is that run's to prove.
-- Grain: one row per transaction and column that differs; at most 20, row_count says how many.
with images as (
    select * from pg_temp.known_transactions
),

rows as (
    select stored.*, run.seal <= scope.seal as is_of_this_seal
    from report_scope scope
    cross join pg_temp.marked_lineages
    join subledger.transactions stored on stored.subscription_key = marked_lineages.key
    left join subledger.runs run on run.run_id = stored.changed_run_id
),

compared as (
    select
        coalesce(images.transaction_id, rows.transaction_id) as transaction_id,
        images.transaction_id is null as has_no_image, rows.transaction_id is null as has_no_row,
        array[
            images.product_id, images.lineage_key::text, images.app_id, images.store, images.environment,
            images.period_key, images.subscription_group, images.kind, images.offer_type, images.ownership,
            images.country, images.purchased_at::text, images.period_start::text, images.period_end::text,
            images.price_micros::text, images.currency, images.price_source, images.tax_micros::text,
            images.proceeds_micros::text, images.recurring_price_micros::text, images.refunded_at::text,
            images.refund_kind, images.refund_micros::text, images.is_upgraded::text, images.base_plan_id,
            images.store_discount_micros::text, images.refund_reason, images.seats::text, images.refund_source,
            images.extended_until::text, images.bundle_transaction_id
        ] as image,
        array[
            rows.product_id, rows.lineage_key::text, rows.app_id, rows.store, rows.environment, rows.period_key,
            rows.subscription_group, rows.kind, rows.offer_type, rows.ownership, rows.country, rows.purchased_at::text,
            rows.period_start::text, rows.period_end::text, rows.price_micros::text, rows.currency, rows.price_source,
            rows.tax_micros::text, rows.proceeds_micros::text, rows.recurring_price_micros::text, rows.refunded_at::text,
            rows.refund_kind, rows.refund_micros::text, rows.is_upgraded::text, rows.base_plan_id,
            rows.store_discount_micros::text, rows.refund_reason, rows.seats::text, rows.refund_source,
            rows.extended_until::text, rows.bundle_transaction_id
        ] as stored
    from images
    full join rows
        on rows.subscription_key = images.subscription_key
        and rows.transaction_id = images.transaction_id
        and rows.product_id = images.product_id
    where rows.transaction_id is null
        or rows.is_of_this_seal
            and (
                images.product_id, images.lineage_key, images.app_id, images.store, images.environment,
                images.period_key, images.subscription_group, images.kind, images.offer_type, images.ownership,
                images.country, images.purchased_at, images.period_start, images.period_end, images.price_micros,
                images.currency, images.price_source, images.tax_micros, images.proceeds_micros,
                images.recurring_price_micros, images.refunded_at, images.refund_kind, images.refund_micros,
                images.is_upgraded, images.base_plan_id, images.store_discount_micros, images.refund_reason,
                images.seats, images.refund_source, images.extended_until, images.bundle_transaction_id
            ) is distinct from (
                rows.product_id, rows.lineage_key, rows.app_id, rows.store, rows.environment, rows.period_key,
                rows.subscription_group, rows.kind, rows.offer_type, rows.ownership, rows.country, rows.purchased_at,
                rows.period_start, rows.period_end, rows.price_micros, rows.currency, rows.price_source,
                rows.tax_micros, rows.proceeds_micros, rows.recurring_price_micros, rows.refunded_at, rows.refund_kind,
                rows.refund_micros, rows.is_upgraded, rows.base_plan_id,
                rows.store_discount_micros, rows.refund_reason, rows.seats, rows.refund_source,
                rows.extended_until, rows.bundle_transaction_id
            )
),

differing as (
    select transaction_id || ' ' || figure.name as subject, figure.expected, figure.found
    from compared
    cross join lateral unnest(
        array[
            'product', 'lineage', 'app', 'store', 'environment', 'period key', 'group', 'kind', 'offer', 'ownership',
            'country', 'purchased at', 'period start', 'period end', 'price', 'currency', 'price source', 'tax',
            'proceeds', 'recurring price', 'refunded at', 'refund kind', 'refund', 'upgraded', 'base plan',
            'store discount', 'refund reason', 'seats', 'refund source', 'extended until', 'bundle'
        ], compared.image, compared.stored
    ) figure (name, expected, found)
    where not has_no_image and not has_no_row and figure.expected is distinct from figure.found
    union all
    select transaction_id, case when has_no_image then 'no row' else 'a row' end,
        case when has_no_image then 'a row without an image' else 'none' end
    from compared
    where has_no_image or has_no_row
)

select
    subject, coalesce(expected, 'none') as expected, coalesce(found, 'none') as found, count(*) over () as row_count
from differing
order by subject
limit 20
