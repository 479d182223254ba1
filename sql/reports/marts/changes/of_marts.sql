-- What is compared: the rows that the kept tables hold of the lineages at hand.
create or replace temp view compared_money_movements as
select held.* from money_movements held join pg_temp.touched on touched.key = held.lineage_key;
create or replace temp view compared_mrr_changes as
select held.* from mrr_changes held join pg_temp.touched on touched.key = held.lineage_key;
create or replace temp view compared_paid_periods as
select held.* from paid_periods held join pg_temp.touched on touched.key = held.lineage_key;
