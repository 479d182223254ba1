-- Adds the lineages whose rows the checks look at to those at hand: a thirtieth of all, another one each business date.
-- $1 business date; NULL: all lineages
-- Keys are looked for wherever a broken row may bear one that no other table knows.
with known as (
    select subscription_key as key from subscriptions
    union
    select subscription_key from transactions
    union
    select subscription_key from transaction_versions
    union
    select subscription_key from ledger_entries
    union
    select subscription_key from state_changes
    union
    select lineage_key from transaction_versions where $1::date is null
),

wanted as (
    select known.key
    from known
    where $1::date is null or abs(known.key) % 30 = abs($1::date - date '2000-01-01') % 30
)

insert into touched (key)
select unnest(report.whole_lineages(array(select wanted.key from wanted)))
where $1::date is not null
union all
select wanted.key from wanted where $1::date is null
on conflict (key) do nothing
