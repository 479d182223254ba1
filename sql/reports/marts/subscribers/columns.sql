-- What the subscribers report and its columns mean: printed in every report.
comment on view subscribers is 'Subscribers by day: lineages that pay, and those in a trial, at risk, awaited, paused or shared, at the end of the day
Key: date, app_id, store, product_id';
comment on column subscribers.date is 'The day at whose end they are counted';
comment on column subscribers.app_id is 'The owner''s own name of the app';
comment on column subscribers.store is 'app_store or google_play';
comment on column subscribers.product_id is 'Product of the current period; of the last one for those who wait';
comment on column subscribers.active is 'Lineages with a paid period at the end of the day: auto-renew off and grace count';
comment on column subscribers.trial is 'Lineages in free time before their first payment, promotional and win-back offers apart; not active';
comment on column subscribers.grace is 'Active lineages whose payment failed and whose store grants a grace; part of active, at risk';
comment on column subscribers.billing_retry is 'Lineages whose payment is awaited without access (billing retry, hold); not active';
comment on column subscribers.paused is 'Lineages the customer paused; not active';
comment on column subscribers.family_shared is 'Lineages that a family member shares; not active';
comment on column subscribers.set_to_cancel is 'Active lineages whose auto-renewal is off, as far as was known that day; part of active';
comment on column subscribers.unread is 'Active lineages past their paid time that the store has not declared ended; part of active';
comment on column subscribers.seats is 'Seats that the active lineages of groups and organizations hold, less those given back; each such lineage is one subscriber, whatever its seats';
