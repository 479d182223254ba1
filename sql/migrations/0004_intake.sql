-- What the owner's backend puts in, what was set aside, and the store's answers as they came.

create table subledger.purchase_inbox (
    purchase_id bigint generated always as identity primary key,
    app_id text not null references subledger.apps,
    account_id text,
    kind text not null check (
        kind in ('receipt', 'signed_transaction', 'original_transaction_id', 'play_purchase', 'play_token')),
    payload text not null,
    signature text,
    received_at timestamptz not null default now(),
    state text not null default 'pending' check (state in ('pending', 'accepted', 'refused')),
    genuine boolean,
    ours boolean,
    is_new boolean,
    is_current boolean,
    reason text,
    subscription_key bigint,
    checked_at timestamptz,
    constraint refused_purchases_say_why check (state <> 'refused' or reason is not null)
);

create table subledger.notification_inbox (
    notification_id bigint generated always as identity primary key,
    app_id text not null references subledger.apps,
    source text not null check (source in ('app_store_v1', 'app_store_v2', 'play_rtdn')),
    payload text not null,
    received_at timestamptz not null default now(),
    state text not null default 'pending' check (state in ('pending', 'applied', 'ignored', 'refused')),
    dedupe_key text,
    notification_type text,
    reason text,
    handled_at timestamptz
);
create index notifications_pending on subledger.notification_inbox (app_id, notification_id) where state = 'pending';

create table subledger.dead_letters (
    dead_letter_id bigint generated always as identity primary key,
    app_id text not null,
    subscription_key bigint,
    stage text not null check (stage in ('extract', 'fetch', 'transform', 'load', 'intake', 'notifications')),
    reason text not null,
    detail text not null,
    attempts integer not null default 1 check (attempts > 0),
    first_run_id bigint not null,
    last_run_id bigint not null,
    created_at timestamptz not null,
    resolved_at timestamptz
);
create unique index one_open_dead_letter_per_cause on subledger.dead_letters (subscription_key, stage, reason)
where resolved_at is null;

create table subledger.signing_chains (
    chain_id text primary key,
    header text not null
);

create table subledger.store_answers (
    subscription_key bigint not null,
    content_hash text not null,
    app_id text not null,
    endpoint text not null,
    body text not null,
    run_id bigint not null,
    answered_at timestamptz not null,
    primary key (subscription_key, content_hash)
);

-- Staging: persistent and unlogged; a chunk's rows live here only within its transaction.
create unlogged table subledger.stage_transactions (
    run_id bigint not null,
    chunk_no integer not null,
    answer_hash text,
    is_glimpse boolean not null,
    like subledger.transactions
);
alter table subledger.stage_transactions
    drop column recorded_run_id,
    drop column changed_run_id,
    drop column tax_micros,
    drop column proceeds_micros,
    drop column proceeds_source;

create unlogged table subledger.stage_changes (
    run_id bigint not null,
    chunk_no integer not null,
    answer_hash text,
    is_glimpse boolean not null,
    is_new boolean not null,
    old_amount_micros bigint not null,
    old_currency text,
    old_refund_micros bigint not null,
    old_refunded_at timestamptz,
    amount_micros bigint not null,
    booked_refund_micros bigint not null,
    like subledger.transactions
);
alter table subledger.stage_changes
    drop column recorded_run_id,
    drop column changed_run_id,
    drop column tax_micros,
    drop column proceeds_micros,
    drop column proceeds_source;

create unlogged table subledger.stage_subscriptions (
    run_id bigint not null,
    chunk_no integer not null,
    subscription_key bigint not null,
    environment text not null,
    state text not null,
    state_raw text,
    product_id text,
    auto_renew boolean,
    auto_renew_product_id text,
    expires_at timestamptz,
    grace_expires_at timestamptz,
    ended_at timestamptz,
    end_reason text,
    history_cursor text,
    source_version timestamptz not null,
    occurred_at timestamptz not null,
    answer_hash text,
    next_check_at timestamptz,
    next_check_reason text not null
);

comment on table subledger.purchase_inbox is 'Purchases the backend hands in, with four verdicts';
comment on column subledger.purchase_inbox.purchase_id is 'Row number';
comment on column subledger.purchase_inbox.app_id is 'The app';
comment on column subledger.purchase_inbox.account_id is 'The owner''s customer id';
comment on column subledger.purchase_inbox.kind is 'What the payload is';
comment on column subledger.purchase_inbox.payload is 'Receipt, signed transaction, id or purchase: never logged';
comment on column subledger.purchase_inbox.signature is 'Play''s signature over the exact payload';
comment on column subledger.purchase_inbox.received_at is 'When it was put in';
comment on column subledger.purchase_inbox.state is 'pending, accepted or refused';
comment on column subledger.purchase_inbox.genuine is 'The store issued it';
comment on column subledger.purchase_inbox.ours is 'It is for this app';
comment on column subledger.purchase_inbox.is_new is 'It was not registered yet';
comment on column subledger.purchase_inbox.is_current is 'It has not expired';
comment on column subledger.purchase_inbox.reason is 'Why it was refused';
comment on column subledger.purchase_inbox.subscription_key is 'What it became';
comment on column subledger.purchase_inbox.checked_at is 'When it was judged';
comment on table subledger.notification_inbox is 'Raw store notifications from the owner''s webhook: hints, never the truth';
comment on column subledger.notification_inbox.notification_id is 'Row number';
comment on column subledger.notification_inbox.app_id is 'The app';
comment on column subledger.notification_inbox.source is 'app_store_v1, app_store_v2 or play_rtdn';
comment on column subledger.notification_inbox.payload is 'As received';
comment on column subledger.notification_inbox.received_at is 'When it was put in';
comment on column subledger.notification_inbox.state is 'pending, applied, ignored or refused';
comment on column subledger.notification_inbox.dedupe_key is 'The store''s own id of the notification';
comment on column subledger.notification_inbox.notification_type is 'The store''s word for it';
comment on column subledger.notification_inbox.reason is 'Why it was ignored or refused';
comment on column subledger.notification_inbox.handled_at is 'When it was handled';
comment on table subledger.dead_letters is 'What was set aside, why, at which stage; its neighbours went on';
comment on column subledger.dead_letters.dead_letter_id is 'Row number';
comment on column subledger.dead_letters.app_id is 'The app';
comment on column subledger.dead_letters.subscription_key is 'The subscription';
comment on column subledger.dead_letters.stage is 'Where it was set aside';
comment on column subledger.dead_letters.reason is 'A short word';
comment on column subledger.dead_letters.detail is 'A sentence, free of tokens';
comment on column subledger.dead_letters.attempts is 'Nights it happened';
comment on column subledger.dead_letters.first_run_id is 'Run that first set it aside';
comment on column subledger.dead_letters.last_run_id is 'Run that last did';
comment on column subledger.dead_letters.created_at is 'Logical now of the first';
comment on column subledger.dead_letters.resolved_at is 'When a later check succeeded';
comment on table subledger.signing_chains is 'Certificate headers of signed rows, each once';
comment on column subledger.signing_chains.chain_id is 'SHA-256 of leaf and intermediate';
comment on column subledger.signing_chains.header is 'First part of the signed rows';
comment on table subledger.store_answers is 'The store''s answers as received, personal fields and receipts cut; the same content once';
comment on column subledger.store_answers.subscription_key is 'The subscription that was asked about';
comment on column subledger.store_answers.content_hash is 'SHA-256 of the content without its signing or request time';
comment on column subledger.store_answers.app_id is 'The app';
comment on column subledger.store_answers.endpoint is 'Which endpoint answered';
comment on column subledger.store_answers.body is 'The document; chain:ID stands for a header in signing_chains';
comment on column subledger.store_answers.run_id is 'Run that first got it';
comment on column subledger.store_answers.answered_at is 'Logical now of that run';
comment on table subledger.stage_transactions is 'Rows of a chunk on their way into transactions; empty between transactions';
comment on table subledger.stage_changes is 'Those of them that change something, with what they change';
comment on table subledger.stage_subscriptions is 'Subscriptions of a chunk as their check leaves them; empty between transactions';
