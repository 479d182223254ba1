-- Products that an answered purchase holds no longer.
-- Grain: one row per item. $1 answered keys, $2 keys of the items that stay, $3 their products
delete from subledger.subscription_items stored
where stored.subscription_key = any ($1::bigint[])
    and not exists (
        select from unnest($2::bigint[], $3::text[]) as item (key, product_id)
        where item.key = stored.subscription_key and item.product_id = stored.product_id
    )
