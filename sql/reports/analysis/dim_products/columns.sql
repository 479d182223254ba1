-- What the view dim_products and its columns mean.
comment on view dim_products is 'Products: what was sold or stands in the catalogue, for joins and filters
Key: app_id, product_id';
comment on column dim_products.app_id is 'The owner''s own name of the app';
comment on column dim_products.store is 'app_store or google_play';
comment on column dim_products.product_id is 'The store''s id of the product';
comment on column dim_products.product_type is 'auto_renewable, prepaid or one_time; empty before the first sale';
comment on column dim_products.period is 'Length that the catalogue gives it, ISO 8601; empty where it gives none, or base plans differ';
comment on column dim_products.plan_length is 'The same as P1W, P4W, P1M, P2M, P3M, P4M, P6M or P1Y, else other';
comment on column dim_products.subscription_group is 'The catalogue''s group of exchangeable products';
comment on column dim_products.level is 'Level in its group, 1 the highest';
comment on column dim_products.first_sold_on is 'Day of its first transaction; empty where there is none';
comment on column dim_products.last_sold_on is 'Day of its last transaction, to the last day reported';
