-- The parts that a build divides the lineages into: decided once, when it starts, since lineages join while it goes on.
-- Grain: one row per key of a lineage (its own and those of its subscriptions); none when nothing is being built.
create table marts.part_keys (
    part bigint not null,
    key bigint not null,
    constraint part_keys_pkey primary key (part, key)
);

comment on table marts.part_keys is 'The parts that an unfinished build divides the lineages into';
comment on column marts.part_keys.part is 'From 0 on';
comment on column marts.part_keys.key is 'Of a subscription or lineage';
