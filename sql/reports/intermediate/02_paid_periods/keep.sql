-- Puts the rows of the lineages at hand in place of those that are held of them.
delete from paid_periods held using touched where touched.key = held.lineage_key;
insert into paid_periods select * from new_paid_periods;
