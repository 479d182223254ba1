-- All issues whose manifest is known, in the order of their seals. Grain: one row per issue.
select issued.seal, issued.business_date::text as business_date, issued.path, issued.manifest_sha256
from subledger.report_issues issued
where issued.manifest_sha256 is not null
order by issued.seal
