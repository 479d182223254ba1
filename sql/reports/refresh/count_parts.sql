-- Into how many parts the lineages are divided. Grain: one row. $1 lineages in a part
select 1 + count(*) / $1::bigint as parts from subledger.subscriptions
