-- Puts the rows of the lineages at hand in place of those that are held of them; what stays the same is left.
delete from subscription_periods held using pg_temp.going_subscription_periods went
where went.lineage_key = held.lineage_key
    and went.place = held.place;
insert into subscription_periods table pg_temp.coming_subscription_periods;
