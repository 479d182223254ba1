// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model
import Postgres
import Rendering
import SQLCatalog

/// `manifest.json`: what the issue or export is, how fresh its data is, which checks it passed, and the checksum of every file.
struct Manifest: Codable {
    static let fileName = "manifest.json"

    struct File: Codable {
        let bytes: Int
        /// Rows without the header; nil for a file that is no table.
        let rows: Int?
        let sha256: String
    }

    struct Check: Codable, Hashable {
        let name: String
        let passed: Bool
        let rows: Int
    }

    struct App: Codable {
        let appID: String
        let store: String
        let due: Int64
        let checked: Int64
        /// As of the seal, whichever run failed to read them.
        let unread: Int64
        /// By its store, on the last night.
        let stopped: Bool
        let lastCheckedAt: String?
        let lastRunDate: String
        let lastRunOutcome: String
        /// True where the owner also sells on billing of his own, which no total holds; else nil.
        let ownBilling: Bool?
        /// Since that day it is asked about no more; nil: it is.
        let retiredOn: String?

        private enum CodingKeys: String, CodingKey {
            case appID = "app_id"
            case store, due, checked, unread, stopped
            case lastCheckedAt = "last_checked_at"
            case lastRunDate = "last_run_date"
            case lastRunOutcome = "last_run_outcome"
            case ownBilling = "own_billing"
            case retiredOn = "retired_on"
        }
    }

    /// The last issue before this one: whoever changes that changes what this one says of it.
    struct Previous: Codable, Hashable {
        let businessDate: String
        let seal: Int64
        /// Of its manifest.
        let sha256: String

        private enum CodingKeys: String, CodingKey {
            case businessDate = "business_date"
            case seal, sha256
        }
    }

    let stamp: ReportStamp
    /// Nil of the first one, and of exports, which are no link of the chain.
    let previous: Previous?
    /// Of an export: the issue that its report of changes compares with; nil before the first one, and of issues, which compare with
    /// the previous one.
    let comparedWith: Previous?
    /// True of an export; else nil.
    let export: Bool?
    let reconciled: Bool
    let checks: [Check]
    let coverage: [App]
    let files: [String: File]

    private enum CodingKeys: String, CodingKey {
        case stamp, previous
        case comparedWith = "compared_with"
        case export, reconciled, checks, coverage, files
    }

    /// `last`: the last issue as of the report's seal.
    init(
        request: ReportRequest, last: Previous?, checks: [CheckOutcome], coverage: [Coverage], files: [String: File]
    ) {
        self.stamp = ReportStamp(request.identity)
        self.previous = request.isExport ? nil : last
        self.comparedWith = request.isExport ? last : nil
        self.export = request.isExport ? true : nil
        self.reconciled = checks.allSatisfy(\.passed)
        self.checks = checks.map { Check(name: $0.name, passed: $0.passed, rows: $0.rowCount) }
        self.coverage = coverage.map(App.init)
        self.files = files
    }

    init(json: Data) throws {
        self = try JSONDecoder().decode(Manifest.self, from: json)
    }

    var isExport: Bool { export == true }

    /// That of a folder; nil where there is none that can be read.
    static func read(in folder: String) -> Manifest? {
        FileManager.default.contents(atPath: "\(folder)/\(fileName)").flatMap { try? Manifest(json: $0) }
    }

    /// Keys sorted, so that the same manifest is the same bytes.
    func json() throws -> [UInt8] {
        try JSONText.encode(self, isIndented: true) + [UInt8(ascii: "\n")]
    }
}

extension Manifest.File {
    init(_ file: FileSummary, rows: Int?) {
        self.init(bytes: file.byteCount, rows: rows, sha256: file.sha256)
    }
}

extension Manifest.App {
    init(_ coverage: Coverage) {
        self.init(
            appID: coverage.appID, store: coverage.store, due: coverage.due, checked: coverage.checked,
            unread: coverage.unread, stopped: coverage.isStopped, lastCheckedAt: coverage.lastCheckedAt?.iso8601,
            lastRunDate: coverage.lastRunDate, lastRunOutcome: coverage.lastRunOutcome,
            ownBilling: coverage.hasOwnBilling ? true : nil, retiredOn: coverage.retiredOn)
    }
}

extension Manifest.Previous {
    /// The last issue as of a seal; nil before the first one.
    static func read(asOf seal: Int64, on connection: PostgresConnection) async throws(PostgresError) -> Self? {
        guard let row = try await connection.query(SQL.Reports.Refresh.lastIssue, [.int(seal)]).first else {
            return nil
        }
        return try Self(row)
    }

    /// Nil where the issue is older than such checksums.
    private init?(_ row: PostgresRow) throws(PostgresError) {
        guard let sha256 = try row.optionalString("manifest_sha256") else { return nil }
        self.init(businessDate: try row.string("business_date"), seal: try row.int64("seal"), sha256: sha256)
    }
}
