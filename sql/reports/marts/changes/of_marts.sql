-- What is compared: the rows of the lineages at hand that are stored in the marts.
create or replace temp view compared_money_movements as
select stored.* from money_movements stored join pg_temp.marked_lineages on marked_lineages.key = stored.lineage_key;
create or replace temp view compared_mrr_changes as
select stored.* from mrr_changes stored join pg_temp.marked_lineages on marked_lineages.key = stored.lineage_key;
create or replace temp view compared_paid_periods as
select stored.* from paid_periods stored join pg_temp.marked_lineages on marked_lineages.key = stored.lineage_key;
