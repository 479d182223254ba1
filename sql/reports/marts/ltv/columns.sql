-- What the ltv report and its columns mean: printed in every report.
comment on view ltv is 'Realised lifetime value: net revenue within n days of the first payment ÷ the cohort; matured cohorts only
Key: cohort_month, app_id, store, currency, days';
comment on column ltv.cohort_month is 'Calendar month of the lineages'' first payments, yyyy-mm';
comment on column ltv.app_id is 'The owner''s own name of the app';
comment on column ltv.store is 'app_store or google_play';
comment on column ltv.currency is 'ISO 4217 code of the first payment; later money in another currency is left out';
comment on column ltv.days is 'n: days since the first payment';
comment on column ltv.cohort_size is 'Lineages that first paid in the month in this currency; those of an unknown first price have none';
comment on column ltv.net is 'Charges less refunds within n days; empty until the youngest lineage is n days old';
comment on column ltv.ltv is 'net ÷ cohort_size; empty until the youngest lineage is n days old';
comment on column ltv.net_reporting is 'net in the reporting currency, each movement at the rate of its purchase; what has no rate is left out';
comment on column ltv.ltv_reporting is 'net_reporting ÷ cohort_size';
comment on column ltv.reporting_currency is 'ISO 4217 code of the reporting currency';
comment on column ltv.unconverted is 'Movements within n days that are left out of the reporting currency: no source quotes theirs';
comment on column ltv.cohort_month_start is 'First day of cohort_month: the same as a date';
