-- The money of the lineages at hand as the seal saw it. Grain: one row per ledger entry.
create temp table known_entries on commit drop as
select entry.*
from touched
join ledger_entries entry on entry.subscription_key = touched.key
join runs run on run.run_id = entry.run_id
join report_scope scope on run.seal <= scope.seal;

analyze known_entries;
