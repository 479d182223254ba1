-- What the trials report and its columns mean: printed in every report.
comment on view trials is 'Trials by the day they started: converted when paid by the trial''s end, grace included
Key: cohort_date, app_id, store, product_id';
comment on column trials.cohort_date is 'Day the trials started';
comment on column trials.app_id is 'The owner''s own name of the app';
comment on column trials.store is 'app_store or google_play';
comment on column trials.product_id is 'Product the trial was of';
comment on column trials.started is 'Trials that started: free time before a lineage''s first payment; promotional and win-back offers are none';
comment on column trials.converted is 'Of them, paid by the end of the trial, grace included; a refund later changes nothing';
comment on column trials.refunded is 'Of the converted, those whose first paid period was refunded';
comment on column trials.pending is 'Of the started, still running, or not yet read past their end';
comment on column trials.ended is 'Of the started, over unpaid';
comment on column trials.conversion_rate is 'converted ÷ started, 0 to 1';
