-- Puts the rows of the lineages at hand in place of those that are held of them; what stays the same is left.
delete from money_movements held using pg_temp.going_money_movements went
where went.lineage_key = held.lineage_key
    and went.subscription_key = held.subscription_key
    and went.transaction_id = held.transaction_id
    and went.product_id = held.product_id
    and went.seq = held.seq;
insert into money_movements table pg_temp.coming_money_movements;
