-- rests on: subscribers_daily, marts.day_of, marts.zone_of, subledger.apps, subledger.length_of, subledger.products,
-- rests on: subledger.products_as_of, subledger.runs, subledger.time_zone_of_store, subledger.transactions
-- Products: whatever was sold or is in the catalogue, with what the catalogue says of it on the last day.
-- Grain: one row per app and product, found once however often a join asks for them. Of a product with several base plans the catalogue's words are those that all of them share.
create view dim_products (
    app_id, store, product_id, product_type, period, plan_length, subscription_group, level, first_sold_on, last_sold_on
) as
with sold as (
    select
        sale.app_id, sale.store, sale.product_id,
        case
            when bool_and(sale.kind = 'one_time') then 'one_time'
            when bool_and(sale.kind = 'top_up') then 'prepaid'
            else 'auto_renewable'
        end as product_type,
        marts.day_of(min(sale.purchased_at), sale.store, scope.time_zone) as first_sold_on,
        marts.day_of(max(sale.purchased_at), sale.store, scope.time_zone) as last_sold_on
    from subledger.transactions sale
    join subledger.runs run on run.run_id = sale.recorded_run_id
    join report_scope scope on run.seal <= scope.seal
    where sale.purchased_at
        < (scope.through_date + 1)::timestamp at time zone marts.zone_of(sale.store, scope.time_zone)
    group by sale.app_id, sale.store, sale.product_id, scope.time_zone
),

-- Who cannot be read any more may be counted under a product of which nothing was sold.
counted as (
    select subscribers_daily.app_id, subscribers_daily.store, subscribers_daily.product_id
    from subscribers_daily
    cross join report_scope scope
    where subscribers_daily.product_id <> ''
    group by subscribers_daily.app_id, subscribers_daily.store, subscribers_daily.product_id
),

listed as (
    select distinct on (product.app_id, product.product_id, product.base_plan_id) product.*
    from report_scope scope
    cross join lateral subledger.products_as_of(scope.seal) product
    where product.valid_from <= scope.through_date
    order by product.app_id, product.product_id, product.base_plan_id, product.valid_from desc
),

catalogued as (
    select
        listed.app_id, app.store, listed.product_id,
        case when count(distinct coalesce(listed.period, '')) = 1 then min(listed.period) end as period,
        case when count(distinct coalesce(listed.subscription_group, '')) = 1 then min(listed.subscription_group) end
            as subscription_group,
        case when count(distinct coalesce(listed.level, 0)) = 1 then min(listed.level) end as level
    from listed
    join subledger.apps app on app.app_id = listed.app_id
    group by listed.app_id, app.store, listed.product_id
),

every_product as (
    select sold.app_id, sold.store, sold.product_id from sold
    union
    select counted.app_id, counted.store, counted.product_id from counted
    union
    select catalogued.app_id, catalogued.store, catalogued.product_id from catalogued
),

described as materialized (
    select
        each.app_id, each.store, each.product_id, sold.product_type, catalogued.period,
        case
            when length.months in (1, 2, 3, 4, 6) then 'P' || length.months || 'M'
            when length.months = 12 then 'P1Y'
            when length.days = 7 then 'P1W'
            when length.days = 28 then 'P4W'
            when catalogued.period is not null then 'other'
        end as plan_length,
        catalogued.subscription_group, catalogued.level::bigint as level, sold.first_sold_on, sold.last_sold_on
    from every_product each
    left join sold on sold.app_id = each.app_id and sold.store = each.store and sold.product_id = each.product_id
    left join catalogued
        on catalogued.app_id = each.app_id and catalogued.store = each.store and catalogued.product_id = each.product_id
    left join lateral subledger.length_of(catalogued.period) length on true
)

select described.* from described;
