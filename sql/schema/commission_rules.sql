-- What the stores keep, by rule and date; append-only. The published ones come with the program (sql/data): run 0 in a new database,
-- else the run that migrated. Grain: one row per origin, rule, store, app, country, product type, first day and run.
create table subledger.commission_rules (
    rule text not null,
    store text not null,
    app_id text not null default '',
    country text not null default '',
    product_type text not null default '',
    rate numeric,
    valid_from date not null,
    valid_to date,
    source text not null default 'import',
    confidence text,
    is_published boolean not null default false,
    recorded_run_id bigint not null,
    constraint commission_rules_pkey primary key (
        rule, store, app_id, country, product_type, valid_from, is_published, recorded_run_id
    ),
    constraint known_rules check (rule in ('standard', 'after_one_year', 'small_business')),
    constraint known_product_types check (product_type in ('', 'auto_renewable', 'prepaid', 'one_time')),
    constraint rates_are_shares check (rate between 0 and 1),
    constraint rules_run_forward check (valid_to > valid_from),
    constraint known_confidences check (confidence in ('P', 'T', 'Q', 'U')),
    constraint published_rules_say_how_sure check (is_published = (confidence is not null)),
    constraint published_rules_are_of_every_app check (not is_published or app_id = ''),
    constraint memberships_name_their_app check (is_published or rule <> 'small_business' or app_id <> ''),
    constraint memberships_alone_have_no_rate check (
        rate is not null or rule = 'small_business' and not is_published
    )
);

comment on table subledger.commission_rules is 'Dated commission rates of the stores; append-only';
comment on column subledger.commission_rules.rule is 'standard; after_one_year or small_business in its place where that is less';
comment on column subledger.commission_rules.store is 'The store';
comment on column subledger.commission_rules.app_id is 'The app; empty: any';
comment on column subledger.commission_rules.country is 'ISO 3166-1 alpha-2; empty: any';
comment on column subledger.commission_rules.product_type is 'auto_renewable, prepaid or one_time; empty: any';
comment on column subledger.commission_rules.rate is 'Share of the price, 0 to 1, in total; NULL: membership of small_business, at the published rate';
comment on column subledger.commission_rules.valid_from is 'From this date on';
comment on column subledger.commission_rules.valid_to is 'Up to and without this date; NULL: until another row';
comment on column subledger.commission_rules.source is 'The store''s page; import: the owner''s own row';
comment on column subledger.commission_rules.confidence is 'Of a published rule: P the store''s own text, T that text by readers who agree, Q press, U not settled';
comment on column subledger.commission_rules.is_published is 'It came with the program; false: the owner''s own';
comment on column subledger.commission_rules.recorded_run_id is 'Run that recorded it';
