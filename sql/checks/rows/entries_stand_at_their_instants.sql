-- Proves that money is on its own day: charges and corrections at an instant at which some image of the transaction
-- says that it was bought, refunds at one at which some image says that it was refunded. Reversals are dated by answers.
-- Grain: one row per entry that is elsewhere; at most 20, row_count says how many.
with images as materialized (
    select image.*
    from pg_temp.marked_lineages
    join subledger.transaction_versions image on image.subscription_key = marked_lineages.key
    join subledger.runs run on run.run_id = image.run_id
    join report_scope scope on run.seal <= scope.seal
),

instants as (
    select subscription_key, transaction_id, product_id, false as is_refund, purchased_at as at
    from images
    union
    select images.subscription_key, images.transaction_id, images.product_id, true, given.at
    from images
    cross join lateral subledger.refunds_of(images.refund_parts, images.refunded_at, 1) given
)

select
    entry.transaction_id || ' ' || entry.kind || ' ' || entry.seq as subject,
    coalesce((
        select string_agg(known.at::text, ' or ' order by known.at)
        from instants known
        where known.subscription_key = entry.subscription_key
            and known.transaction_id = entry.transaction_id
            and known.product_id = entry.product_id
            and known.is_refund = (entry.kind = 'refund')
    ), 'no such instant') as expected,
    entry.occurred_at::text as found,
    count(*) over () as row_count
from pg_temp.known_entries entry
left join instants
    on instants.subscription_key = entry.subscription_key
    and instants.transaction_id = entry.transaction_id
    and instants.product_id = entry.product_id
    and instants.is_refund = (entry.kind = 'refund')
    and instants.at = entry.occurred_at
where entry.kind <> 'refund_reversal' and instants.at is null
order by subject
limit 20
