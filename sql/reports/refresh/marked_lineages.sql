-- Statements about the lineages at hand (table marked_lineages, of one transaction).

-- name: forget_lineages
-- Other lineages follow in the same transaction.
delete from pg_temp.marked_lineages

-- name: analyze_lineages
-- So that the planner knows how many lineages are at hand.
analyze pg_temp.marked_lineages

-- name: mark_part
-- One part of all lineages. $1 which, from 0 on
insert into pg_temp.marked_lineages (key)
select part.key from part_keys part where part.part = $1::bigint

-- name: mark_sample
-- Adds the sample of a business date: a thirtieth of the subscriptions, of many about a thousand, with their lineages. So
-- what a night checks does not grow with the history. $1 business date
with share as (
    select greatest(30, count(*) / 1000) as parts from subledger.subscriptions
)

insert into pg_temp.marked_lineages (key)
select unnest(marts.whole_lineages(array(
    select stored.subscription_key
    from subledger.subscriptions stored
    cross join share
    where abs(stored.subscription_key) % share.parts = abs($1::date - date '2000-01-01') % share.parts
)))
on conflict (key) do nothing

-- name: count_lineages
-- How many keys are at hand. Grain: one row.
select count(*) as lineages from pg_temp.marked_lineages

-- name: mark_all
-- All lineages. Keys are looked for wherever a broken row may bear one that no other table knows.
insert into pg_temp.marked_lineages (key)
select subscription_key as key from subledger.subscriptions
union
select subscription_key from subledger.transactions
union
select subscription_key from subledger.transaction_versions
union
select subscription_key from subledger.ledger_entries
union
select subscription_key from subledger.state_changes
union
select lineage_key from subledger.transaction_versions
