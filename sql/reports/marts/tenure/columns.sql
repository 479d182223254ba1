-- What the tenure report and its columns mean: printed in every report.
comment on view tenure is 'Renewal and churn by the number of payments made, of new and of returning customers, by month
Key: month, app_id, store, product_id, customer, tenure';
comment on column tenure.month is 'Calendar month, yyyy-mm; the last one to the last day reported';
comment on column tenure.app_id is 'The owner''s own name of the app';
comment on column tenure.store is 'app_store or google_play';
comment on column tenure.product_id is 'Product of the paid period; for churn, the one the month opened with';
comment on column tenure.customer is 'new, returning (paid again after an end) or imported (older than the first period known)';
comment on column tenure.tenure is 'Number of the paid period since the first payment, or since coming back: its end is the n-th renewal. Counted from the first period known where imported';
comment on column tenure.opening is 'Active lineages when the month began, in their n-th paid period';
comment on column tenure.churned_of_opening is 'Of them, those that churned within the month, each once';
comment on column tenure.churn_rate is 'Subscriber churn rate: churned_of_opening ÷ opening, 0 to 1';
comment on column tenure.due is 'n-th paid periods that ran to their own end within the month, refunds and plan changes apart';
comment on column tenure.renewed is 'Of them, those the same product followed without a gap, grace included';
comment on column tenure.renewal_rate is 'renewed ÷ due, 0 to 1';
comment on column tenure.plan_changes is 'Periods that another product followed instead';
comment on column tenure.month_start is 'First day of the month: the same as a date';
