-- One import of reference data at a time, so that nothing goes in twice; readers are not held up. Grain: none.
lock table
    subledger.products, subledger.prices, subledger.fx_rates, subledger.commission_rules, subledger.tax_rates
in share row exclusive mode
