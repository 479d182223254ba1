-- Purchases that the backend hands in, with four verdicts. Grain: one row per purchase handed in.
create table subledger.purchase_inbox (
    purchase_id bigint generated always as identity,
    app_id text not null references subledger.apps,
    account_id text,
    kind text not null,
    payload text not null,
    signature text,
    product_id text,
    transaction_id text,
    received_at timestamptz not null default now(),
    state text not null default 'pending',
    genuine boolean,
    ours boolean,
    is_new boolean,
    is_current boolean,
    reason text,
    subscription_key bigint,
    checked_at timestamptz,
    attempts integer not null default 0,
    last_run_id bigint,
    constraint purchase_inbox_pkey primary key (purchase_id),
    constraint known_kinds check (
        kind in (
            'receipt', 'signed_transaction', 'original_transaction_id', 'play_purchase', 'play_token'
        )
    ),
    constraint known_states check (state in ('pending', 'accepted', 'refused')),
    constraint refused_purchases_say_why check (state <> 'refused' or reason is not null),
    constraint attempts_are_not_negative check (attempts >= 0)
);

create index purchases_by_subscription on subledger.purchase_inbox (subscription_key) where state = 'accepted';
create index purchases_pending on subledger.purchase_inbox (app_id, attempts, purchase_id) where state = 'pending';

comment on table subledger.purchase_inbox is 'Purchases the backend hands in, with four verdicts';
comment on column subledger.purchase_inbox.purchase_id is 'Row number';
comment on column subledger.purchase_inbox.app_id is 'The app';
comment on column subledger.purchase_inbox.account_id is 'The owner''s customer id';
comment on column subledger.purchase_inbox.kind is 'What the payload is';
comment on column subledger.purchase_inbox.payload is 'Receipt, signed transaction, id or purchase: never logged; empty where it was cleared after archive.keep';
comment on column subledger.purchase_inbox.signature is 'Play''s signature over the exact payload';
comment on column subledger.purchase_inbox.product_id is 'The product it names, whatever the store adds; may be given with a bare token';
comment on column subledger.purchase_inbox.transaction_id is 'The transaction or order it names, whatever the store adds';
comment on column subledger.purchase_inbox.received_at is 'When it was put in';
comment on column subledger.purchase_inbox.state is 'pending, accepted or refused';
comment on column subledger.purchase_inbox.genuine is 'The store issued it';
comment on column subledger.purchase_inbox.ours is 'It is for this app';
comment on column subledger.purchase_inbox.is_new is 'It was not registered yet';
comment on column subledger.purchase_inbox.is_current is 'It has not expired';
comment on column subledger.purchase_inbox.reason is 'Why it was refused, or what it waits for';
comment on column subledger.purchase_inbox.subscription_key is 'What it became';
comment on column subledger.purchase_inbox.checked_at is 'When its verdicts were given';
comment on column subledger.purchase_inbox.attempts is 'Runs that looked at it';
comment on column subledger.purchase_inbox.last_run_id is 'The last of them';
