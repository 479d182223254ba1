// SPDX-License-Identifier: Apache-2.0

import Testing

/// What a store decides is in the SQL file of that store, one function a rule; the others ask it and name no store.
@Suite struct StoreRulesTests {
    private static let stores = ["sql/functions/app_store.sql", "sql/functions/google_play.sql"]
    /// Files that name stores and decide nothing by them.
    private static let naming = [
        "sql/data/commission_rules.sql": "what the stores publish",
        "sql/schema/apps.sql": "which stores there are",
        "sql/functions/store_ids.sql": "asks the function of the id's store",
        "sql/reports/analysis/transactions/view.sql": "the days of each store, made once for all rows",
        "sql/reports/analysis/transactions/sheet.sql": "the days of each store, made once for all rows",
        "sql/reports/analysis/transactions/count.sql": "the days of each store, made once for all rows",
        "sql/checks/days/deferred_equals_open_periods.sql": "the zones of the stores' days, made once for all rows",
    ]

    /// Every rule, and the files that ask it.
    private static let rules: [String: Set<String>] = [
        "is_period_end_final": ["load/find_changes"],
        "is_credit_unknown": ["reports/intermediate/11_exclusion_reasons/rows"],
        "is_trial_an_introduction": ["functions/offers"],
        "is_year_billed_by_month": ["reports/analysis/transactions/view"],
        "time_zone_of_store": ["reports/functions/calendar"],
        "transaction_id_fault": ["functions/store_ids"],
        "is_answer_dated_by_job": ["load/stage"],
        "is_sale_booked_by_order": ["load/remove_placeholders"],
        "is_id_secret": ["explain/read_subscription"],
        "has_orders_of_added_products": ["reports/intermediate/01_subscription_periods/rows"],
        "is_expiry_of_purchase": ["reports/intermediate/01_subscription_periods/rows"],
        "is_refund_money_alone": [
            "reports/functions/periods", "reports/intermediate/01_subscription_periods/rows",
            "reports/staging/years_paid",
        ],
        "is_replacement_deferred": ["reports/staging/known_changes"],
        "is_shortened_by_change": ["functions/lengths"],
        "is_paid_at_no_charge": ["reports/functions/periods"],
        "purchase_token_fault": ["functions/store_ids"],
    ]

    private static func files() throws -> [(path: String, code: String)] {
        try Repository.sql().map { ($0.path, $0.text.replacing(/--[^\n]*|(?m)^comment on [^\n]*/, with: "")) }
    }

    @Test func `only the stores' own files decide by a store's name`() throws {
        let found = try Self.files().filter { $0.code.contains(/'(?:app_store|google_play)'/) }.map(\.path)
        #expect(Set(found) == Set(Self.stores).union(Self.naming.keys))
    }

    @Test func `every rule is listed with the files that ask it`() throws {
        let files = try Self.files()
        let made = files.filter { Self.stores.contains($0.path) }.flatMap { file in
            file.code.matches(of: /create or replace function subledger\.(\w+)/).map { String($0.1) }
        }
        var asking = Dictionary(uniqueKeysWithValues: made.map { ($0, Set<String>()) })
        for file in files where !Self.stores.contains(file.path) {
            for use in file.code.matches(of: /subledger\.(\w+)\(/) where asking[String(use.1)] != nil {
                asking[String(use.1)]?.insert(String(file.path.dropFirst("sql/".count).dropLast(".sql".count)))
            }
        }
        #expect(asking == Self.rules)
    }

    /// A store's file says nothing of the other one.
    @Test func `a store's rules name that store alone`() throws {
        for file in try Self.files() where Self.stores.contains(file.path) {
            let other = file.path.contains("app_store") ? "google_play" : "app_store"
            #expect(!file.code.contains("'\(other)'"), "\(file.path)")
        }
    }
}
