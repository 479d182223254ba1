-- Certificate headers of signed rows, each once. Grain: one row per chain.
create table subledger.signing_chains (
    chain_id text not null,
    header text not null,
    constraint signing_chains_pkey primary key (chain_id)
);

comment on table subledger.signing_chains is 'Certificate headers of signed rows, each once';
comment on column subledger.signing_chains.chain_id is 'SHA-256 of leaf and intermediate';
comment on column subledger.signing_chains.header is 'First part of the signed rows';
