-- company.csv. Grain: see the view.
declare report_rows no scroll cursor for
select *
from company
order by
    month,
    array_position(
        array[
            'mrr', 'mrr_net_of_tax', 'mrr_proceeds', 'mrr_net_of_tax_missing', 'mrr_proceeds_missing', 'arr', 'growth', 'gross_mrr_churn', 'net_mrr_churn', 'grr', 'nrr',
            'nrr_with_reactivation', 'quick_ratio', 'arpu', 'arppu'
        ], figure)
