-- What is left of a paid period's MRR without tax, and for the developer: told by the store, else estimated while
-- reporting by tax table and commission rules of the day of the purchase (in UTC), as in report.movements_as_of.
-- Grain: one row per paid period of a lineage with a known price, as in report.mrr_pieces_as_of.
--
-- Exact: numerator ÷ denominator in the units of report.mrr_pieces_as_of; NULL where neither the store nor a rule tells.
-- An order of several products goes by the country of its dearest product, under which it stands.
drop function if exists report.mrr_bases_as_of(bigint);
create function report.mrr_bases_as_of(seal bigint) returns table (
    subscription_key bigint, transaction_id text, product_id text, net_numerator numeric, net_denominator numeric,
    proceeds_numerator numeric, proceeds_denominator numeric, is_tax_told boolean, are_proceeds_told boolean
)
language sql stable
set enable_nestloop = off
set jit = off
as $$
    with pieces as materialized (
        select
            piece.subscription_key, piece.transaction_id, piece.product_id, piece.gross_units, piece.net_units,
            piece.proceeds_units, sold.app_id, sold.store, sold.country,
            (sold.purchased_at at time zone 'UTC')::date as purchase_day,
            piece.proceeds_units is null
                and (piece.subscription_key, piece.transaction_id, piece.product_id) in (
                    select year.subscription_key, year.transaction_id, year.product_id
                    from report.paid_a_year_as_of(mrr_bases_as_of.seal) year
                ) as has_paid_a_year
        from report.mrr_pieces_as_of(mrr_bases_as_of.seal) piece
        join subledger.transactions_as_of(mrr_bases_as_of.seal) sold
            on sold.subscription_key = piece.subscription_key
            and sold.transaction_id = piece.transaction_id
            and sold.product_id = piece.product_id
        where piece.gross_units is not null
    ),

    ruled as materialized (
        select
            sale.*,
            1 - report.commission_as_of(
                mrr_bases_as_of.seal, sale.store, sale.app_id, sale.country, 'auto_renewable', sale.purchase_day,
                sale.has_paid_a_year) as kept_share
        from (
            select distinct store, app_id, country, purchase_day, has_paid_a_year
            from pieces
            where proceeds_units is null
        ) sale
    ),

    taxed as materialized (
        select place.*, report.tax_divisor_as_of(mrr_bases_as_of.seal, place.country, place.purchase_day) as tax_divisor
        from (
            select distinct country, purchase_day
            from pieces
            where country is not null and net_units is null
        ) place
    )

    select
        pieces.subscription_key, pieces.transaction_id, pieces.product_id,
        coalesce(pieces.net_units, case when taxed.tax_divisor > 0 then pieces.gross_units end),
        case when pieces.net_units is null then taxed.tax_divisor else 1 end,
        coalesce(
            pieces.proceeds_units, pieces.net_units * ruled.kept_share,
            case when taxed.tax_divisor > 0 then pieces.gross_units * ruled.kept_share end),
        case when pieces.proceeds_units is null and pieces.net_units is null then taxed.tax_divisor else 1 end,
        pieces.net_units is not null,
        pieces.proceeds_units is not null
    from pieces
    left join taxed on taxed.country = pieces.country and taxed.purchase_day = pieces.purchase_day
    left join ruled
        on ruled.store = pieces.store
        and ruled.app_id = pieces.app_id
        and coalesce(ruled.country, '') = coalesce(pieces.country, '')
        and ruled.purchase_day = pieces.purchase_day
        and ruled.has_paid_a_year = pieces.has_paid_a_year
$$;

comment on function report.mrr_bases_as_of is 'MRR of paid periods net of tax and as proceeds: the store''s word, else estimated, exact';
