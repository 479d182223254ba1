-- All issues in the order of their seals; manifest_sha256 is NULL of those from before it was kept. Grain: one row per issue.
select issued.seal, issued.business_date::text as business_date, issued.path, issued.manifest_sha256
from subledger.report_issues issued
order by issued.seal
