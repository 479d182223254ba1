-- What became of a subscription, when it happened and when it was learned; append-only. Grain: one row per change.
create table subledger.state_changes (
    subscription_key bigint not null,
    change_id bigint not null,
    occurred_at timestamptz not null,
    recorded_at timestamptz not null,
    reported_at timestamptz,
    run_id bigint not null,
    state text not null,
    state_raw text,
    auto_renew boolean,
    product_id text,
    expires_at timestamptz,
    grace_expires_at timestamptz,
    end_reason text,
    answer_hash text,
    committed_until timestamptz,
    renewal_price_micros bigint,
    renewal_currency text,
    constraint state_changes_pkey primary key (subscription_key, change_id),
    constraint changes_count_from_one check (change_id > 0),
    constraint known_states check (
        state in (
            'unverified', 'pending', 'trial', 'active', 'grace', 'billing_retry', 'paused', 'expired', 'revoked',
            'unreachable'
        )
    ),
    constraint known_end_reasons check (
        end_reason in (
            'voluntary', 'involuntary', 'price', 'product', 'developer', 'refund', 'revoke', 'replaced', 'unknown'
        )
    )
);

create index state_changes_by_run on subledger.state_changes (run_id);

comment on table subledger.state_changes is 'Append-only: what became of a subscription, when it happened, when we learned it';
comment on column subledger.state_changes.subscription_key is 'The subscription';
comment on column subledger.state_changes.change_id is 'Counts the subscription''s changes from 1';
comment on column subledger.state_changes.occurred_at is 'When it happened, as far as the store reports it';
comment on column subledger.state_changes.recorded_at is 'Logical now of the run that learned it';
comment on column subledger.state_changes.reported_at is 'The earliest instant at which the store can have reported it: its run''s now, or the newest charge or the end known with it, where that is later; NULL: recorded_at';
comment on column subledger.state_changes.run_id is 'That run';
comment on column subledger.state_changes.state is 'State from then on';
comment on column subledger.state_changes.state_raw is 'The store''s own word for it';
comment on column subledger.state_changes.auto_renew is 'Auto-renewal from then on';
comment on column subledger.state_changes.product_id is 'Product from then on';
comment on column subledger.state_changes.expires_at is 'Expiry from then on';
comment on column subledger.state_changes.grace_expires_at is 'End of the granted grace from then on';
comment on column subledger.state_changes.end_reason is 'Why it ended';
comment on column subledger.state_changes.answer_hash is 'Content hash of the store''s answer that said so';
comment on column subledger.state_changes.committed_until is 'Until when payments are committed to, from the cancellation of such a plan on: then it ends; NULL where nothing was committed to, or not cancelled';
comment on column subledger.state_changes.renewal_price_micros is 'What the next renewal costs, where the store says so';
comment on column subledger.state_changes.renewal_currency is 'ISO 4217 code of renewal_price_micros';
