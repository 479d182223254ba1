-- Puts the rows of the lineages at hand in place of those that are held of them.
delete from exclusion_reasons held using touched where touched.key = held.lineage_key;
insert into exclusion_reasons select * from new_exclusion_reasons;
