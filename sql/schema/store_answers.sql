-- The stores' answers as received, personal fields and receipts cut; the same content once. Grain: one row per subscription and content.
create table subledger.store_answers (
    subscription_key bigint not null,
    answer_hash text not null,
    app_id text not null,
    endpoint text not null,
    body text not null,
    run_id bigint not null,
    answered_at timestamptz not null,
    is_evidence boolean not null default true,
    padding character(2000) not null default '',
    constraint store_answers_pkey primary key (subscription_key, answer_hash)
) with (toast_tuple_target = 128);

create index store_answers_to_clear on subledger.store_answers (answered_at) where not is_evidence;

-- PostgreSQL compresses rows of more than two kilobytes alone, whatever toast_tuple_target says, and most answers are shorter. A
-- column of blanks makes each row one of these: it is compressed to 35 bytes, and the answer beside it by two fifths. Everything
-- stays in the row where it fits: one of the overflow table takes a hundred bytes more.
alter table subledger.store_answers
    alter column body set storage main,
    alter column padding set storage main,
    alter column answer_hash set storage plain,
    alter column app_id set storage plain,
    alter column endpoint set storage plain;

comment on table subledger.store_answers is 'The store''s answers as received, personal fields and receipts cut; the same content once';
comment on column subledger.store_answers.subscription_key is 'The subscription that was asked about';
comment on column subledger.store_answers.answer_hash is 'First 128 bits of SHA-256, hex, of the content without its signing or request time';
comment on column subledger.store_answers.app_id is 'The app';
comment on column subledger.store_answers.endpoint is 'Which endpoint answered';
comment on column subledger.store_answers.body is 'The document; chain:ID names a header in signing_chains, its payload is decoded';
comment on column subledger.store_answers.run_id is 'Run that first got it';
comment on column subledger.store_answers.answered_at is 'Logical now of that run';
comment on column subledger.store_answers.is_evidence is 'It caused a version, a ledger entry or a state change: never cleared';
comment on column subledger.store_answers.padding is 'Blanks: they make each row long enough that PostgreSQL compresses it, and take 35 bytes';
