-- What is compared: the rows that were made of the lineages at hand.
create or replace temp view compared_money_movements as select * from pg_temp.new_money_movements;
create or replace temp view compared_mrr_changes as select * from pg_temp.new_mrr_changes;
create or replace temp view compared_paid_periods as select * from pg_temp.new_paid_periods;
