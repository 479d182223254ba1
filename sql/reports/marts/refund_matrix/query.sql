-- refund_matrix.csv. Grain: see the view.
declare report_rows no scroll cursor for
select *
from refund_matrix
order by
    sold_month, refunded_month, app_id collate "C", store collate "C", product_id collate "C", currency collate "C"
