-- Puts the rows of the lineages at hand in place of those that are held of them; what stays the same is left.
delete from lifetime_values held using pg_temp.going_lifetime_values went
where went.lineage_key = held.lineage_key
    and went.days = held.days;
insert into lifetime_values table pg_temp.coming_lifetime_values;
