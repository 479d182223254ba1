-- Which purchase continues which, append-only. Grain: one row per pair of subscriptions.
create table subledger.lineage_links (
    subscription_key bigint not null,
    linked_subscription_key bigint not null,
    recorded_run_id bigint not null,
    constraint lineage_links_pkey primary key (subscription_key, linked_subscription_key)
);

create index lineage_links_by_earlier on subledger.lineage_links (linked_subscription_key);

comment on table subledger.lineage_links is 'Append-only facts: this purchase continues that one';
comment on column subledger.lineage_links.subscription_key is 'The later purchase';
comment on column subledger.lineage_links.linked_subscription_key is 'The earlier purchase';
comment on column subledger.lineage_links.recorded_run_id is 'Run that recorded it';
