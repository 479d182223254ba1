-- Ends what was made of the lineages at hand, so that another seal can follow in the same transaction.
drop view if exists
    pg_temp.compared_money_movements,
    pg_temp.compared_mrr_changes,
    pg_temp.compared_paid_periods{each intermediate},
    pg_temp.changed_{table}{end}{each intermediate},
    pg_temp.coming_{table},
    pg_temp.going_{table}{end};

drop table if exists
{each intermediate}
    pg_temp.new_{table},
{end}
    pg_temp.known_transactions, pg_temp.known_entries, pg_temp.known_changes, pg_temp.years_paid, pg_temp.purchase_rates,
    pg_temp.retired_apps;
