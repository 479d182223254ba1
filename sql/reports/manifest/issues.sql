-- All issues in the order of their seals; manifest_sha256 is NULL of those from before it was recorded, pruned_at of those that are not
-- pruned; as_of: what `report --as-of` takes to write the same tables again. Grain: one row per issue.
select
    issued.seal, issued.business_date::text as business_date, issued.path, issued.manifest_sha256, run.logical_now as as_of,
    pruned.pruned_at
from subledger.report_issues issued
join subledger.runs run on run.run_id = issued.run_id
left join subledger.pruned_issues pruned on pruned.run_id = issued.run_id
order by issued.seal
