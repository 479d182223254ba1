-- Apps whose owner also sells on billing of his own: such sales make no order at the store, and totals say so.
-- Grain: one row per change of the configuration. It counts for the seals after the one that stood when it was made.
create table subledger.own_billing (
    change_id bigint generated always as identity,
    app_id text not null,
    has_own_billing boolean not null,
    after_seal bigint not null,
    constraint own_billing_pkey primary key (change_id),
    constraint seals_are_not_negative check (after_seal >= 0)
);

comment on table subledger.own_billing is 'Whose owner also sells on billing of his own, which makes no order at the store: one row per change; append-only';
comment on column subledger.own_billing.change_id is 'Numbered in the order of the changes; the last of those that count for a seal is its own';
comment on column subledger.own_billing.app_id is 'The app';
comment on column subledger.own_billing.has_own_billing is 'What the configuration says from then on';
comment on column subledger.own_billing.after_seal is 'The last seal given before the change';
