-- Puts the rows of the lineages at hand in place of those that are held of them; what stays the same is left.
delete from exclusion_reasons held using pg_temp.going_exclusion_reasons went
where went.lineage_key = held.lineage_key
    and went.subscription_key = held.subscription_key
    and went.transaction_id = held.transaction_id
    and went.product_id = held.product_id
    and went.reason = held.reason;
insert into exclusion_reasons table pg_temp.coming_exclusion_reasons;
