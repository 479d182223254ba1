-- What the company report and its columns mean: printed in every report.
comment on view company is 'The whole company by month, in the reporting currency: MRR by basis, growth, retention, ARPU
Key: month, figure';
comment on column company.month is 'Calendar month, yyyy-mm; the last one to the last day reported: its figures are so far';
comment on column company.figure is 'mrr (gross), mrr_net_of_tax, mrr_proceeds: MRR at the end of the month (what neither a store nor a rule tells of tax or proceeds is left out); arr: 12 × mrr; growth: closing MRR ÷ opening MRR − 1; gross_mrr_churn: churn and contraction of the opening lineages ÷ opening MRR; net_mrr_churn: the same less their expansion, recovery and reactivation; grr: 1 − gross_mrr_churn; nrr: net revenue retention without reactivation; nrr_with_reactivation: 1 − net_mrr_churn; quick_ratio: (new + expansion + reactivation + recovery) ÷ (contraction + churn); arpu: net of auto-renewing products ÷ mean of the active lineages at the end of each day; arppu: the same net ÷ lineages with an auto-renewing charge in the month. Moves between products and currencies are one change: only what they are worth more or less counts';
comment on column company.value is 'The figure: an amount of mrr, mrr_net_of_tax, mrr_proceeds, arr, arpu and arppu, else a fraction; empty where the denominator is 0 or nothing has a rate';
comment on column company.numerator is 'What is divided, an amount; empty where the figure is no quotient';
comment on column company.denominator is 'By what: the opening MRR, of quick_ratio what was lost, of arpu the mean of the active lineages over the days of the month to the last one reported, of arppu lineages; empty where the figure is no quotient';
comment on column company.reporting_currency is 'ISO 4217 code of the amounts';
comment on column company.unconverted is 'Left out of the figure because no source quotes a rate: of MRR, growth and quick_ratio the paid periods that the month closed with, of churn and retention those it opened with, of arpu and arppu movements of money';
comment on column company.month_start is 'First day of the month: the same as a date';
