-- What the changes report and its columns mean: printed in every report.
comment on view changes is 'Figures of days already reported that moved since the last issue, and the transactions that moved them
Key: date, app_id, product_id, figure';
comment on column changes.figure is 'gross, refunded and mrr movements with their currency; churned with its reason; lapsed';
comment on column changes.date is 'The day whose figure moved';
comment on column changes.app_id is 'The owner''s own name of the app';
comment on column changes.product_id is 'Product of the figure';
comment on column changes.before is 'The figure as the last issue knew it; refunded positive, outflows of MRR negative';
comment on column changes.after is 'The figure as it is known now';
comment on column changes.transaction_ids is 'The transactions that moved it, at most a hundred by name';
