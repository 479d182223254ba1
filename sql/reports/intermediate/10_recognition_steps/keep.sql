-- Puts the rows of the lineages at hand in place of those that are held of them; what stays the same is left.
delete from recognition_steps held using pg_temp.going_recognition_steps went
where went.lineage_key = held.lineage_key
    and went.subscription_key = held.subscription_key
    and went.transaction_id = held.transaction_id
    and went.product_id = held.product_id
    and went.currency = held.currency
    and went.day = held.day;
insert into recognition_steps table pg_temp.coming_recognition_steps;
