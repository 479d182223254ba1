-- Puts the rows of the lineages at hand in place of those that are held of them.
delete from lifetime_values held using touched where touched.key = held.lineage_key;
insert into lifetime_values select * from new_lifetime_values;
