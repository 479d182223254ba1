-- Puts the rows of the lineages at hand in place of those that are held of them.
delete from money_movements held using touched where touched.key = held.lineage_key;
insert into money_movements select * from new_money_movements;
