-- Puts the rows of the lineages at hand in place of those that are held of them.
delete from status_intervals held using pg_temp.touched where touched.key = held.lineage_key;
insert into status_intervals select * from pg_temp.new_status_intervals;
