-- What is said to the lineages at hand (table touched, of one transaction).

-- name: forget_lineages
-- Other lineages follow in the same transaction.
delete from touched

-- name: analyze_lineages
-- So that the planner knows how many lineages are at hand.
analyze touched

-- name: touch_batch
-- One part of all lineages. $1 which, from 0 on
insert into touched (key)
select part.key from part_keys part where part.part = $1::bigint

-- name: touch_turn
-- The lineages whose turn it is to be made anew: a ninetieth, another one each business date. $1 business date
insert into touched (key)
select unnest(report.whole_lineages(array(
    select subscription_key
    from subscriptions
    where abs(lineage_key) % 90 = abs($1::date - date '2000-01-01') % 90
)))
