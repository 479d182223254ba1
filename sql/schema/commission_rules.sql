-- What the stores keep, by rule and date; append-only. Run 0 came with the program. Grain: one row per rule, store, app, country, product
-- type, first day and run.
create table subledger.commission_rules (
    rule text not null,
    store text not null,
    app_id text not null default '',
    country text not null default '',
    product_type text not null default '',
    rate numeric not null,
    valid_from date not null,
    valid_to date,
    recorded_run_id bigint not null,
    constraint commission_rules_pkey primary key (rule, store, app_id, country, product_type, valid_from, recorded_run_id),
    constraint known_rules check (rule in ('standard', 'after_one_year', 'small_business', 'billing')),
    constraint known_product_types check (product_type in ('', 'auto_renewable', 'prepaid', 'one_time')),
    constraint rates_are_shares check (rate between 0 and 1),
    constraint rules_run_forward check (valid_to > valid_from),
    constraint programmes_name_their_app check (rule <> 'small_business' or app_id <> '')
);

comment on table subledger.commission_rules is 'Dated commission rates of the stores; append-only';
comment on column subledger.commission_rules.rule is 'standard; after_one_year or small_business in its place where that is less; billing on top';
comment on column subledger.commission_rules.store is 'The store';
comment on column subledger.commission_rules.app_id is 'The app; empty: any';
comment on column subledger.commission_rules.country is 'ISO 3166-1 alpha-2; empty: any';
comment on column subledger.commission_rules.product_type is 'auto_renewable, prepaid or one_time; empty: any';
comment on column subledger.commission_rules.rate is 'Share of the price, 0 to 1';
comment on column subledger.commission_rules.valid_from is 'From this date on';
comment on column subledger.commission_rules.valid_to is 'Up to and without this date; NULL: until another row';
comment on column subledger.commission_rules.recorded_run_id is 'Run that recorded it';

-- What the stores have published, as far as it is certain. The App Store: 30 %, and 15 % after one year of paid service.
insert into subledger.commission_rules (rule, store, product_type, rate, valid_from, valid_to, recorded_run_id)
values
    ('standard', 'app_store', '', 0.30, '-infinity', null, 0),
    ('after_one_year', 'app_store', 'auto_renewable', 0.15, '-infinity', null, 0),
    -- Google Play: 30 %; subscriptions 15 % after twelve months from 2018 on, 15 % from the first day from 2022 on.
    ('standard', 'google_play', '', 0.30, '-infinity', null, 0),
    ('after_one_year', 'google_play', 'auto_renewable', 0.15, '2018-01-01', '2022-01-01', 0),
    ('standard', 'google_play', 'auto_renewable', 0.15, '2022-01-01', null, 0),
    ('standard', 'google_play', 'prepaid', 0.15, '2022-01-01', null, 0);

-- From 2026 on Play parts the service fee (auto-renewing: 10 %) from the fee for its billing (5 %), region by region: the
-- United States, the United Kingdom and the European Economic Area first.
insert into subledger.commission_rules (rule, store, country, product_type, rate, valid_from, recorded_run_id)
select part.rule, 'google_play', region.country, 'auto_renewable', part.rate, '2026-06-30', 0
from unnest(string_to_array(
    'US GB AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE IS LI NO', ' '
)) as region (country)
cross join (values ('standard', 0.10), ('billing', 0.05)) as part (rule, rate);

-- Then Australia, Korea and the rest of the world. No billing fee is published for them yet: import it when it is. Japan's
-- date differs between sources, so it goes with the rest of the world: import the right one.
insert into subledger.commission_rules (rule, store, country, product_type, rate, valid_from, recorded_run_id)
values
    ('standard', 'google_play', 'AU', 'auto_renewable', 0.10, '2026-09-30', 0),
    ('standard', 'google_play', 'KR', 'auto_renewable', 0.10, '2026-12-31', 0),
    ('standard', 'google_play', '', 'auto_renewable', 0.10, '2027-09-30', 0);
