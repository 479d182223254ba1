-- Proves that every row of the MRR bridge closes: opening and all movements make the closing, to within the rounding of
-- the printed figures, half a millionth each; in its own currency and in the reporting one.
-- Grain: one row per day, app, product and currency that differs; at most 20, row_count says how many.
with bridge as (
    select
        concat_ws(' ', date::text, app_id, store, product_id, currency) as subject,
        opening
{each movement}
            + {movement}
{end}
            as expected,
        closing as found
    from mrr_bridge
    union all
    select
        concat_ws(' ', date::text, app_id, store, product_id, currency, 'in', reporting_currency),
        opening_reporting
{each movement}
            + {movement}_reporting
{end}
        ,
        closing_reporting
    from mrr_bridge
)

select subject, expected::text as expected, found::text as found, count(*) over () as row_count
from bridge
where abs(expected - found) > 0.000010
order by subject
limit 20
