-- The configured apps. Every job keeps them in step with the configuration. Grain: one row per app.
create table subledger.apps (
    app_id text not null,
    store text not null,
    environment text not null default 'production',
    default_country text,
    retired_on date,
    title text,
    constraint apps_pkey primary key (app_id),
    constraint ids_are_not_empty check (app_id <> ''),
    constraint known_stores check (store in ('app_store', 'google_play')),
    constraint known_environments check (environment in ('production', 'sandbox')),
    constraint countries_are_iso_codes check (default_country ~ '^[A-Z]{2}$')
);

comment on table subledger.apps is 'One row per configured app; kept in step with the configuration by every job';
comment on column subledger.apps.app_id is 'The owner''s own name of the app';
comment on column subledger.apps.store is 'app_store or google_play';
comment on column subledger.apps.environment is 'Environment of its subscriptions unless they say otherwise';
comment on column subledger.apps.default_country is 'ISO 3166-1 alpha-2, assumed where the store names none';
comment on column subledger.apps.retired_on is 'From that day on it is asked about no more; NULL: it is not retired, or not yet';
comment on column subledger.apps.title is 'The owner''s name of the app for people; NULL: its id';
