-- What the churn report and its columns mean: printed in every report.
comment on view churn is 'Churn by day: paying lineages at the opening of the day, and those of them that the store declared ended on it, by reason
Key: date, app_id, store, product_id';
comment on column churn.date is 'Day of the effective end: expiry, unpaid grace end, refund, or the successor''s start';
comment on column churn.app_id is 'The owner''s own name of the app';
comment on column churn.store is 'app_store or google_play';
comment on column churn.product_id is 'Product of the current paid period; for those lost, of the last one';
comment on column churn.opening is 'Lineages with a paid period up to the day''s first instant: auto-renew off and grace count; trials, billing retry, paused, family-shared and one-time do not';
comment on column churn.churned is 'Lineages of the opening that the store declared ended on this day: the six reasons together';
comment on column churn.voluntary is 'The customer turned auto-renewal off';
comment on column churn.involuntary is 'The payment failed and the store gave up; dated back to the effective end';
comment on column churn.price is 'The customer did not agree to a price increase';
comment on column churn.product is 'The product was not available for renewal';
comment on column churn.refund is 'The current period was refunded';
comment on column churn.other is 'Ended by the developer, revoked without money back, or for a reason the store did not tell';
comment on column churn.churn_rate is 'churned ÷ opening, 0 to 1; empty where the day opened with none';
comment on column churn.lapsed is 'Lineages of the opening whose payment failed on this day: no churn while the store still tries';
comment on column churn.came_and_went is 'Lineages that began to pay and ended on the same day; not in churned';
