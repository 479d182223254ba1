-- Puts the rows of the lineages at hand in place of those that are held of them.
delete from recognition_steps held using touched where touched.key = held.lineage_key;
insert into recognition_steps select * from new_recognition_steps;
