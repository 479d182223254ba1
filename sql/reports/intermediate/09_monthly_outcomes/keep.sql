-- Puts the rows of the lineages at hand in place of those that are held of them.
delete from monthly_outcomes held using pg_temp.touched where touched.key = held.lineage_key;
insert into monthly_outcomes select * from pg_temp.new_monthly_outcomes;
