-- The lineages that runs sealed after one seal, up to another, wrote of: every subscription that shares one with them or
-- ever did. A product whose catalogue row changed counts as written of, whoever bought it. $1 after seal, $2 through seal
with news as materialized (
    select run.run_id from runs run where run.seal > $1::bigint and run.seal <= $2::bigint
),

products_told as materialized (
    select known.app_id, known.product_id
    from products known
    where known.recorded_run_id = any (array(select news.run_id from news))
),

written as (
    select image.subscription_key as key
    from transaction_versions image
    where image.run_id = any (array(select news.run_id from news))
    union
    select entry.subscription_key
    from ledger_entries entry
    where entry.run_id = any (array(select news.run_id from news))
    union
    select change.subscription_key
    from state_changes change
    where change.run_id = any (array(select news.run_id from news))
    union
    select image.subscription_key
    from transaction_versions image
    where exists (select from products_told)
        and (image.app_id, image.product_id) in (select products_told.app_id, products_told.product_id from products_told)
)

insert into touched (key)
select unnest(report.whole_lineages(array(select written.key from written)))
