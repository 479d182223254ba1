-- Which message was sent about which issue to whom: each goes out once, however often sending is asked for.
-- Grain: one row per issue, recipient and message.
create table subledger.report_deliveries (
    seal bigint not null references subledger.report_issues (seal),
    recipient text not null,
    message text not null,
    state text not null,
    attempts bigint not null,
    deliveries bigint not null default 0,
    next_try_at timestamptz,
    last_error text,
    changed_at timestamptz not null,
    constraint report_deliveries_pkey primary key (seal, recipient, message),
    constraint recipients_are_named check (recipient <> ''),
    constraint known_messages check (message in ('digest', 'stale', 'missing')),
    constraint known_states check (state in ('sending', 'delivered', 'failed')),
    constraint attempts_are_not_negative check (attempts >= 0),
    constraint deliveries_are_not_negative check (deliveries >= 0),
    constraint failures_have_a_reason check (state <> 'failed' or last_error is not null),
    constraint deliveries_are_counted check (state <> 'delivered' or deliveries > 0)
);

comment on table subledger.report_deliveries is 'What was said of which issue to whom';
comment on column subledger.report_deliveries.seal is 'The issue''s';
comment on column subledger.report_deliveries.recipient is 'Its name in the configuration: an address, or what a webhook is called';
comment on column subledger.report_deliveries.message is 'digest: of the issue; stale: that no newer data followed it; missing: that a report after it is owed and not there';
comment on column subledger.report_deliveries.state is 'sending: an attempt began whose end is not known; delivered: the server took it; failed: it did not';
comment on column subledger.report_deliveries.attempts is 'Times it was tried';
comment on column subledger.report_deliveries.deliveries is 'Times it was taken: more than one only where it was asked for again';
comment on column subledger.report_deliveries.next_try_at is 'No try before then, by the server''s word or as the running call waits; NULL: whenever one comes';
comment on column subledger.report_deliveries.last_error is 'Why the last attempt failed; never a secret; NULL: none did, or it was taken since';
comment on column subledger.report_deliveries.changed_at is 'Database clock';
