-- The issue that was sealed last, and how many of its checks failed. Grain: one row, none before there is one.
select issued.business_date::text as business_date, issued.failed_checks
from subledger.report_issues issued
order by issued.seal desc
limit 1
