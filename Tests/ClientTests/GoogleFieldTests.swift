// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What the program knows of Google Play's answers, held against the discovery document of the pinned client: a new version
/// of it shows what is new.
@Suite(.hangLimit) struct GoogleFieldTests {
    private struct Given: Encodable {
        let list, sources: String
    }

    private struct Told: Decodable {
        let revision: String
        let fields: Int
        let new, gone, words, unreasoned, unread: [String]
    }

    private static let room = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/GooglePlay").path

    private static func compare(_ list: String) async throws -> Told {
        try await PythonClient.run(
            "google_fields.py", given: Given(list: list, sources: room),
            authority: "/etc/ssl/certs/ca-certificates.crt")
    }

    @Test("every field of Google Play's answers is read by the type that the list names, or left with a reason")
    func everyFieldIsDecidedAbout() async throws {
        let told = try await Self.compare(Self.room + "/FIELDS.tsv")
        #expect(told.fields > 150, "too few fields to prove anything: revision \(told.revision)")
        #expect(told.new == [], "the store tells these: decide in FIELDS.tsv whether they are read, or why not")
        #expect(told.gone == [], "the store tells these no more")
        #expect(told.words == [], "the words of these have changed")
        #expect(told.unreasoned == [])
        #expect(told.unread == [], "the type that is named does not read it")
    }

    @Test("a field or a word that is not in the list is found, and so is a reader that reads nothing")
    func whatIsMissingIsFound() async throws {
        let list = try String(contentsOfFile: Self.room + "/FIELDS.tsv", encoding: .utf8)
        try await withTemporaryDirectory { folder in
            var lines = list.components(separatedBy: "\n").filter { !$0.hasPrefix("Order.tax\t") }
            lines = lines.map { line in
                if line.hasPrefix("Order.total\t") { return "Order.total\tShares" }
                if line.hasPrefix("Order.salesChannel\t") { return "Order.salesChannel\t-\t\tIN_APP" }
                return line
            }
            let path = folder + "/list.tsv"
            try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
            let told = try await Self.compare(path)
            #expect(told.new == ["Order.tax"])
            #expect(told.unread == ["Order.total by Shares"])
            #expect(told.unreasoned == ["Order.salesChannel"])
            #expect(told.words.count == 1 && told.words.first?.hasPrefix("Order.salesChannel: new ") == true)
        }
    }
}
