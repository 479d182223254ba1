-- Puts the rows of the lineages at hand in place of those that are held of them.
delete from subscription_periods held using touched where touched.key = held.lineage_key;
insert into subscription_periods select * from new_subscription_periods;
