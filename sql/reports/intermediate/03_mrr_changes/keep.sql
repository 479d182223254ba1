-- Puts the rows of the lineages at hand in place of those that are held of them.
delete from mrr_changes held using pg_temp.touched where touched.key = held.lineage_key;
insert into mrr_changes select * from pg_temp.new_mrr_changes;
