-- App Store receipts, each once: asked once a night, replaced by latest_receipt. Grain: one row per receipt.
create table subledger.receipts (
    receipt_id bigint not null,
    app_id text not null references subledger.apps,
    receipt text not null,
    recorded_at timestamptz not null,
    last_run_id bigint,
    constraint receipts_pkey primary key (receipt_id)
);

create index receipts_by_text on subledger.receipts (app_id, md5(receipt));

comment on table subledger.receipts is 'App Store receipts, each once: asked once a night, replaced by latest_receipt (restricted)';
comment on column subledger.receipts.receipt_id is 'Derived from the subscription it was first registered with';
comment on column subledger.receipts.app_id is 'The app it belongs to';
comment on column subledger.receipts.receipt is 'Base64, as the store takes it: never logged, never reported';
comment on column subledger.receipts.recorded_at is 'When it was registered or last replaced';
comment on column subledger.receipts.last_run_id is 'Run that last replaced it';
