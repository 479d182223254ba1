-- What the cohorts report and its columns mean: printed in every report.
comment on view cohorts is 'Cohorts by month of first payment: lineages paid in month N of their lives ÷ all lineages of the cohort
Key: cohort_month, app_id, store, month_number';
comment on column cohorts.cohort_month is 'Calendar month of the lineages'' first payments, yyyy-mm';
comment on column cohorts.app_id is 'The owner''s own name of the app';
comment on column cohorts.store is 'app_store or google_play';
comment on column cohorts.month_number is 'N: from N to N + 1 calendar months after each lineage''s first payment';
comment on column cohorts.cohort_size is 'All lineages that first paid in the cohort month, those who left since included';
comment on column cohorts.paid is 'Of them, those with a paid period in month N, grace not counted; empty until all have reached it';
comment on column cohorts.retention is 'paid ÷ cohort_size, 0 to 1; empty until all have reached month N';
comment on column cohorts.revenue_retention is 'MRR of the latest paid periods of month N ÷ the same of month 0; empty where a cohort pays in several currencies or no price is known';
comment on column cohorts.cohort_month_start is 'First day of cohort_month: the same as a date';
