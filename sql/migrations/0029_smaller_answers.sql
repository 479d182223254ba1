-- Answers of a kilobyte are compressed, too; PostgreSQL alone begins at two. Their signed rows are decoded since this version,
-- so that compressing halves them. What was kept before stays as it is.
alter table subledger.store_answers set (toast_tuple_target = 128);

comment on column subledger.store_answers.body is
    'The document; chain:ID stands for a header in signing_chains, and the payload behind it is decoded';
