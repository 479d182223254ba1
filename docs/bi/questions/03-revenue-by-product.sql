-- What did each product bring, month by month, before and after refunds and commission? Table, or stacked bars of net.
-- One row per month and product. In the reporting currency; proceeds is what is left for you, partly estimated.
with sold as (
    select
        date_trunc('month', revenue.date::timestamp)::date as month_start, revenue.app_id, revenue.product_id, revenue.reporting_currency,
        sum(revenue.charges) as charges, sum(revenue.gross_reporting) as gross, sum(revenue.refunded_reporting) as refunded,
        sum(revenue.net_reporting) as net, sum(revenue.proceeds_reporting) as proceeds, sum(revenue.unconverted) as unconverted
    from report.revenue
    group by date_trunc('month', revenue.date::timestamp), revenue.app_id, revenue.product_id, revenue.reporting_currency
)

select
    sold.month_start, sold.app_id, sold.product_id, product.product_type, product.plan_length, sold.charges, sold.gross,
    sold.refunded, sold.net, sold.proceeds, sold.reporting_currency, sold.unconverted
from sold
join report.dim_products product on product.app_id = sold.app_id and product.product_id = sold.product_id
order by sold.month_start, sold.app_id, sold.product_id
