// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What every file under sql/ keeps, so that the same text runs on one server and on a scaled-out one.
@Suite struct SQLRulesTests {
    /// Tables that are distributed when the database scales out.
    private static let largeTables = [
        "subscriptions", "transactions", "transaction_versions", "ledger_entries", "state_changes",
        "subscription_items",
        "store_answers", "transaction_aliases", "lineage_links", "stage_transactions", "stage_changes",
        "stage_subscriptions", "run_plan",
    ]

    /// Every statement with its file: a file contains one, or those that follow a line `-- name: …`.
    private static func statements() throws -> [(path: String, text: String)] {
        let files = try Repository.sql()
        try #require(files.count > 30)
        return files.flatMap { file in
            let queries = file.text.components(separatedBy: "\n-- name: ").dropFirst().map { query in
                let name = String(query.prefix { $0 != "\n" })
                return (path: "\(file.path) \(name)", text: String(query.dropFirst(name.count + 1)))
            }
            return queries.isEmpty ? [(path: file.path, text: file.text)] : queries
        }
    }

    /// The text without comments and quoted text, in which words are not SQL.
    private static func code(_ text: String) -> String {
        text.replacing(/--[^\n]*/, with: "").replacing(/'(?:[^']|'')*'/, with: "''")
    }

    @Test func `every file begins with what it is for`() throws {
        for file in try Self.statements() {
            #expect(file.text.hasPrefix("-- "), "\(file.path) begins without a comment")
        }
    }

    /// Of two definitions the later one wins, whatever the first one's readers expect.
    @Test func `a function of the reports is defined once`() throws {
        var places: [String: [String]] = [:]
        for file in try Self.statements() where file.path.contains("sql/reports/") {
            for found in Self.code(file.text).matches(of: /create (?:or replace )?(?:function|view|aggregate) ([\w.]+)/)
            {
                places[String(found.1), default: []].append(file.path)
            }
        }
        #expect(places.count > 20)
        for (name, files) in places { #expect(files.count == 1, "\(name) is defined in \(files)") }
    }

    @Test func `SQL is lower case`() throws {
        let keyword = /\b(SELECT|INSERT|UPDATE|DELETE|CREATE|FROM|WHERE|JOIN|WITH|VALUES|ORDER BY|GROUP BY)\b/
        for file in try Self.statements() {
            #expect(Self.code(file.text).firstMatch(of: keyword) == nil, "\(file.path) shouts")
        }
    }

    @Test func `nothing is used that fails when scaled out`() throws {
        let forbidden = /\b(merge\s+into|rollup|cube\s*\(|grouping\s+sets|temporary\s+table)\b/
        for file in try Self.statements() {
            let found = Self.code(file.text).firstMatch(of: forbidden)
            #expect(found == nil, "\(file.path) uses \(found.map { String($0.0) } ?? "")")
        }
    }

    /// A report's session has tables of its own; what loads the books has none, which no other host could see.
    @Test func `only reports have tables of a session`() throws {
        for file in try Self.statements() where !file.path.contains("sql/reports/") {
            let made = Self.code(file.text).firstMatch(of: /\bcreate\s+temp/)
            #expect(made == nil, "\(file.path) makes a session's table")
        }
    }

    @Test func `no volatile function decides an update of a conflict`() throws {
        let volatile = /\b(now|clock_timestamp|statement_timestamp|random|gen_random_uuid|nextval)\s*\(/
        for file in try Self.statements() where !file.path.contains("/pipeline/") {
            for conflict in Self.code(file.text).matches(of: /do update set((?s).*?)(?:;|returning|\z)/) {
                #expect(
                    conflict.1.firstMatch(of: volatile) == nil, "\(file.path): a volatile function in do update set")
            }
        }
    }

    @Test func `rows of large tables are never skipped when locked`() throws {
        for file in try Self.statements() where Self.code(file.text).contains("skip locked") {
            let tables = Self.largeTables.filter { Self.code(file.text).contains("subledger.\($0)") }
            #expect(tables.isEmpty, "\(file.path) skips locked rows of \(tables)")
        }
    }

    @Test func `large tables refer to no table of runs`() throws {
        for file in try Self.statements() where file.path.contains("/schema/") {
            let tables = Self.code(file.text).matches(of: /create (?:unlogged )?table subledger\.(\w+) \(((?s).*?)\n\)/)
            for table in tables where Self.largeTables.contains(String(table.1)) {
                #expect(!table.2.contains("references"), "\(file.path): \(table.1) refers to another table")
            }
        }
    }

    @Test func `every key of a large table contains the subscription`() throws {
        for file in try Self.statements() where file.path.contains("/schema/") {
            let tables = Self.code(file.text).matches(of: /create table subledger\.(\w+) \(((?s).*?)\n\)/)
            for table in tables where Self.largeTables.contains(String(table.1)) {
                for key in table.2.matches(of: /(?:primary key|unique) \(([^)]*)\)/) {
                    #expect(
                        key.1.contains("subscription_key"), "\(file.path): a key of \(table.1) without the subscription"
                    )
                }
            }
        }
    }

    @Test func `no SQL hides in Swift`() throws {
        let hidden = /"(?:select [^"]* from |insert into|update \w+\.\w+|delete from|create table|copy \w+\.)/
        for folder in ["Sources", "jobs"] {
            for file in try Repository.files(below: folder, ending: ".swift")
            where !file.path.contains("StoreSimulator") {
                let found = file.text.firstMatch(of: hidden)
                #expect(found == nil, "\(file.path) holds SQL: \(found.map { String($0.0) } ?? "")")
            }
        }
    }
}
