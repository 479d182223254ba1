// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import TestSupport
import Testing

/// The tables that a night issued, kept to be compared with what `report --as-of` gives much later.
struct IssuedNight {
    let number: Int
    /// Every CSV file, `report.json` and the workbook, by name.
    ///
    /// A manifest says whether it is an issue's.
    let files: [String: Data]
}

/// Frozen reports: whatever is learned or imported later, a past night's tables come out again, byte for byte.
///
/// `keep` each night after it was played, `learn` after the last one, play a night more, and `expectSame`.
enum AsOfNights {
    /// The tables of the night's first issue, as they stand on disk now.
    static func keep(_ night: Int, of world: NightWorld) throws -> IssuedNight {
        let folder = "\(world.reports)/\(NightWorld.businessDate(of: night))"
        return IssuedNight(number: night, files: try tables(in: folder))
    }

    /// What changes every figure that is reckoned while reporting: a catalogue, prices, rates, commission and tax from the
    /// beginning of time on, each sealed by an import of its own, and a link that makes one line of two purchases; and the
    /// configuration's reporting currency.
    static func learn(in world: NightWorld, after night: Int) async throws {
        let now = NightWorld.instant(of: night).iso8601
        for (kind, text, options) in try await referenceData(world) {
            let file = "\(world.directory)/\(kind)-as-of.csv"
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let result = try await CommandLineRun(
                product: "subledger",
                arguments: ["import", kind, file, "--now", now, "--config", world.configuration] + options
            ).run()
            #expect(result.exitCode == 0, "import \(kind): \(result.standardError.suffix(2_000))")
        }
        try await link(in: world)
        let configured = try String(contentsOfFile: world.configuration, encoding: .utf8)
        try #require(configured.contains("currency: USD"))
        try configured.replacing("currency: USD", with: "currency: EUR")
            .write(toFile: world.configuration, atomically: true, encoding: .utf8)
    }

    /// Asks for each of them again, into a folder of their own; and the issued files are still what they were.
    static func expectSame(
        _ nights: [IssuedNight], in world: NightWorld, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for night in nights {
            let again = "\(world.directory)/as-of-\(night.number)"
            let instant = NightWorld.instant(of: night.number).iso8601
            let result = try await world.subledger("report", "--as-of", instant, "--out", again)
            #expect(result.exitCode == 0, "\(result.standardError.suffix(2_000))", sourceLocation: sourceLocation)
            let date = NightWorld.businessDate(of: night.number)
            expectSame(night, try tables(in: result.folder), "as of", sourceLocation)
            expectSame(night, try tables(in: "\(world.reports)/\(date)"), "issued, of", sourceLocation)
        }
    }

    /// Asks for every issue again, by its seal and by its instant: where one night has all apps, both give its bytes.
    static func expectEveryIssueAgain(
        in world: NightWorld, atLeast count: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let issues = try FileManager.default.contentsOfDirectory(atPath: world.reports).filter { $0.hasPrefix("2") }
        #expect(issues.count >= count, "\(issues)", sourceLocation: sourceLocation)
        for issue in issues {
            let issued = try tables(in: "\(world.reports)/\(issue)")
            let stamp = try stamp(of: "\(world.reports)/\(issue)")
            for asOf in ["seal:\(stamp.seal)", stamp.asOf] {
                let again = "\(world.directory)/again-\(issue)-\(asOf)"
                let result = try await world.subledger("report", "--as-of", asOf, "--out", again)
                let said = "\(asOf): \(result.standardError.suffix(2_000))"
                #expect(result.exitCode == 0, "\(said)", sourceLocation: sourceLocation)
                guard result.exitCode == 0 else { continue }
                let found = try tables(in: result.folder)
                let differing = Set(issued.keys).union(found.keys).filter { issued[$0] != found[$0] }.sorted()
                #expect(differing == [], "\(issue) as of \(asOf)", sourceLocation: sourceLocation)
            }
        }
    }

    /// What a manifest says that it is issued from.
    private static func stamp(of folder: String) throws -> (seal: Int, asOf: String) {
        let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/manifest.json"))
        let manifest = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let stamp = manifest?["stamp"] as? [String: Any]
        return (try #require(stamp?["seal"] as? Int), try #require(stamp?["as_of"] as? String))
    }

    private static func expectSame(
        _ night: IssuedNight, _ found: [String: Data], _ what: String, _ sourceLocation: SourceLocation
    ) {
        #expect(night.files.keys.sorted() == found.keys.sorted(), sourceLocation: sourceLocation)
        let differing = night.files.keys.filter { night.files[$0] != found[$0] }.sorted()
        #expect(differing == [], "\(what) night \(night.number) differ", sourceLocation: sourceLocation)
    }

    /// Those that issues have: single transactions are a file of exports only.
    private static func tables(in folder: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder)
        where !name.hasSuffix(".html") && name != "manifest.json" && name != "transactions.csv" {
            files[name] = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        try #require(files.count > 12 && files["report.json"] != nil, "\(folder) lacks tables")
        return files
    }

    /// Kinds of import with their files, of the products and currencies that this world sells.
    private static func referenceData(_ world: NightWorld) async throws -> [(String, String, [String])] {
        let products = try await world.connection.lines(
            "select distinct app_id || ',' || product_id as line from subledger.transactions order by line")
        let currencies = try await world.connection.lines(
            "select distinct currency from subledger.transactions where currency not in ('EUR', 'USD') order by currency"
        )
        let countries = try await world.connection.lines(
            "select distinct country from subledger.transactions where country is not null order by country")
        try #require(!products.isEmpty && !countries.isEmpty)
        let rates = (["USD"] + currencies).map { "2020-01-01,\($0),\($0 == "USD" ? "1.25" : "7.5")\n" }.joined()
        return [
            (
                "products",
                "app_id,product_id,period\n" + products.map { "\($0),P2M\n" }.joined(), []
            ),
            (
                "prices",
                "app_id,product_id,country,currency,price\n" + products.map { "\($0),,USD,3.33\n" }.joined(), []
            ),
            ("fx", "date,currency,rate\n" + rates, ["--base", "EUR"]),
            (
                "commission-rules",
                "rule,store,rate,valid_from\nstandard,app_store,0.21,2020-01-01\nstandard,google_play,0.11,2020-01-01\n",
                []
            ),
            ("tax-rates", "country,rate,is_inclusive\n" + countries.map { "\($0),0.077,true\n" }.joined(), []),
        ]
    }

    /// The second of two purchases of an app continues the first, says a run that is sealed now: the link, and its rows under
    /// the first one's key.
    private static func link(in world: NightWorld) async throws {
        try await world.connection.script(
            """
            with pair as (
                select app_id, min(subscription_key) as earlier, max(subscription_key) as later
                from (
                    select app_id, subscription_key, row_number() over (partition by app_id order by subscription_key) as place
                    from subledger.subscriptions
                    where lineage_key = subscription_key and linked_to is null
                ) numbered
                where place <= 2
                group by app_id
                having count(*) = 2
            ),

            next as (update subledger.settings set last_seal = last_seal + 1 returning last_seal),

            run as (
                insert into subledger.runs (
                    job, business_date, logical_now, finished_at, sealed_at, seal, outcome, host, process_id)
                select 'import', max(newest.business_date), max(newest.logical_now), now(), now(), max(next.last_seal), 'done',
                    'here', 1
                from subledger.runs newest
                cross join next
                returning run_id, logical_now
            ),

            links as (
                insert into subledger.lineage_links (subscription_key, linked_subscription_key, recorded_run_id)
                select pair.later, pair.earlier, run.run_id from pair cross join run
            ),

            lines as (
                update subledger.subscriptions held set lineage_key = pair.earlier, linked_to = pair.earlier
                from pair
                where held.subscription_key = pair.later
            ),

            sold as (
                update subledger.transactions held set lineage_key = pair.earlier, changed_run_id = run.run_id
                from pair
                cross join run
                where held.subscription_key = pair.later
            )

            insert into subledger.transaction_versions
            select (jsonb_populate_record(
                newest.whole, jsonb_build_object(
                    'lineage_key', pair.earlier, 'version', newest.version + 1, 'run_id', run.run_id, 'recorded_at',
                    run.logical_now)
            )).*
            from pair
            cross join run
            join lateral (
                select distinct on (image.transaction_id, image.product_id) image as whole, image.version
                from subledger.transaction_versions image
                where image.subscription_key = pair.later
                order by image.transaction_id, image.product_id, image.version desc
            ) newest on true
            """)
    }
}
