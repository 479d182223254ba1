-- Statements about part_keys: report's own, or a session's where it has one.

-- name: count_parts
-- Into how many parts the lineages are divided. Grain: one row. $1 lineages in a part
select 1 + count(*) / $1::bigint as parts from subledger.subscriptions

-- name: forget_parts
-- Parts of an earlier build.
delete from part_keys
