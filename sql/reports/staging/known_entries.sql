-- rests on: subledger.ledger_entries, subledger.runs
-- The money of the lineages at hand as the seal saw it. Grain: one row per ledger entry.
create temp table known_entries on commit drop as
select entry.*
from pg_temp.marked_lineages
join subledger.ledger_entries entry on entry.subscription_key = marked_lineages.key
join subledger.runs run on run.run_id = entry.run_id
join pg_temp.report_scope scope on run.seal <= scope.seal;

analyze pg_temp.known_entries;
