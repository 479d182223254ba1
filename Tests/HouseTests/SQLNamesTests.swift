// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Which names SQL may use, so that nothing that others have made replaces what is meant, and no function is in the way
/// of a table.
@Suite struct SQLNamesTests {
    /// The text without comments, quoted text and the dollars of functions' bodies.
    private static func code(_ text: String) -> String {
        text.replacing(/--[^\n]*/, with: "").replacing(/'(?:[^']|'')*'/, with: "''")
    }

    /// The names of a statement's own parts: `with x as (`.
    private static func parts(of text: String) -> Set<String> {
        Set(text.matches(of: /(\w+)(?: \([^)]*\))? as (?:not )?(?:materialized )?\(/).map { String($0.1) })
    }

    private static func files() throws -> [(path: String, text: String)] {
        let files = try Repository.sql().map { ($0.path, code($0.text)) }
        try #require(files.count > 100)
        return files
    }

    /// What is made by `create …`: names without their schema.
    private static func made(_ pattern: Regex<(Substring, Substring)>) throws -> Set<String> {
        Set(try files().flatMap { file in file.text.matches(of: pattern).map { String($0.1) } })
    }

    /// PostgreSQL refuses to add a column with a default to a table whose row type a function uses.
    @Test func `no function takes, returns or declares a table's row`() throws {
        let relations = try Self.made(
            /create (?:unlogged |or replace )?(?:table|view) (?:if not exists )?(?:\w+\.)?(\w+)/)
        try #require(
            relations.isSuperset(of: ["subscriptions", "transaction_versions", "paid_periods", "entitlements"]))
        for file in try Self.files() {
            #expect(!file.text.contains("%rowtype"), "\(file.path) declares a row")
            let signatures = file.text.matches(
                of: /create (?:or replace )?(?:function|procedure) [\w.]+((?s).*?)language/
            ).map(\.1)
            let variables = file.text.matches(of: /declare\n((?s).*?)\nbegin/).flatMap { block in
                block.1.matches(of: /(?m)^    \w+ [\w.]+/).map(\.0)
            }
            for text in signatures + variables {
                for use in text.matches(of: /(?:subledger|marts|report)\.(\w+)/) {
                    #expect(!relations.contains(String(use.1)), "\(file.path) uses the row of \(use.0)")
                }
            }
        }
    }

    @Test func `nothing of ours lives in public, and no session looks there`() throws {
        for file in try Self.files() {
            #expect(file.text.firstMatch(of: /\bpublic\./) == nil, "\(file.path) names schema public")
        }
        for folder in ["Sources/Postgres", "Sources/Operations", "Sources/Runs"] {
            for file in try Repository.files(below: folder, ending: ".swift") {
                #expect(file.text.firstMatch(of: /search_path[^\n]*public/) == nil, "\(file.path) looks in public")
            }
        }
    }

    /// A function that others may call says where its names are looked up, and a transaction that sets the path says all of it.
    @Test func `every search path begins with pg_catalog and names pg_temp`() throws {
        var paths: [String] = []
        for file in try Self.files() {
            for path in file.text.matches(of: /search_path = ([^;$]*?)(?: as\b|;|\n)/) {
                paths.append(path.1.trimmingCharacters(in: .whitespaces))
                let names = path.1.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
                let isOfSession = file.path.hasSuffix("refresh/use_session.sql")
                #expect(names.first == "pg_catalog", "\(file.path): \(path.1)")
                #expect(
                    names.firstIndex(of: "pg_temp") == (isOfSession ? 1 : names.count - 1), "\(file.path): \(path.1)")
            }
        }
        #expect(paths.count >= 5)
    }

    /// In schema `marts`, which comes first where reports are made, others may have a table of that name.
    ///
    /// What is in the folder of a view of ours reads that view.
    @Test func `what is in schema subledger is named with it`() throws {
        let names = try Self.made(/create (?:unlogged )?(?:table|view) subledger\.(\w+)/)
        try #require(names.count > 30)
        for file in try Self.files() {
            let folders = file.path.contains("/analysis/") ? file.path.split(separator: "/").dropLast().suffix(1) : []
            let parts = Self.parts(of: file.text).union(folders.map(String.init))
            for use in file.text.matches(of: /\b(?:from|join|into|update|table|using) (\w+)\b(?![.(])/)
            where names.contains(String(use.1)) && !parts.contains(String(use.1)) {
                Issue.record("\(file.path): \(use.0) without its schema")
            }
        }
    }

    /// Others may have a table of that name in schema `marts`, which comes before what a session has made itself.
    @Test func `what a session makes for itself is named as its own`() throws {
        // The reports' own texts name these two for both: the kept ones, and a session's.
        let names = try Self.made(/create (?:or replace )?temp (?:table|view) (\w+)/).subtracting([
            "report_scope", "part_keys",
        ])
        try #require(
            names.isSuperset(of: ["marked_lineages", "new_paid_periods", "changed_paid_periods", "known_entries"]))
        for file in try Self.files() {
            let uses = file.text.matches(of: /(temp )?\b(?:from|join|into|update|table|using|analyze) (\w+)\b(?![.(])/)
            for use in uses where use.1 == nil && names.subtracting(Self.parts(of: file.text)).contains(String(use.2)) {
                Issue.record("\(file.path): \(use.0) without pg_temp")
            }
        }
    }
}
