// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The list of fields in the App Store's room, against the models of Apple's own library.
@Suite(.hangLimit) struct FieldListTests {
    private struct Given: Encodable {
        let list, room: String
    }

    private struct Told: Decodable {
        let models: Int
        let wrong: [String]
    }

    private static let room = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/AppStore")

    private static func told(_ list: String) async throws -> Told {
        try await PythonClient.run(
            "app_store_fields.py", given: Given(list: list, room: room.path), authority: "")
    }

    @Test("Every field of Apple's models is read by the file that the list names, or not read for its reason")
    func listIsTheLibrarys() async throws {
        let told = try await Self.told(Self.room.appending(path: "FIELDS.txt").path)
        #expect(told.wrong == [])
        #expect(told.models > 100)
    }

    @Test("A field that is new, gone, known after all, or read by nobody is named")
    func listIsHeld() async throws {
        let text = try String(contentsOf: Self.room.appending(path: "FIELDS.txt"), encoding: .utf8)
        let without = text.split(separator: "\n").filter { !$0.hasPrefix("JWSTransactionDecodedPayload.price ") }
        let more = [
            "HistoryResponse.gone | read: Server/HistoryResponse.swift",
            "+StatusResponse.data | not read: because nobody looked",
            "+JWSTransactionDecodedPayload.moon | read: Server/TransactionPayload.swift",
        ]
        let wrong = try await withTemporaryDirectory { folder in
            let list = folder + "/fields.txt"
            try Data((without.map(String.init) + more).joined(separator: "\n").utf8)
                .write(to: URL(fileURLWithPath: list))
            return try await Self.told(list).wrong
        }
        #expect(wrong.count == 5, "\(wrong)")
        for words in ["price is new", "gone is not in the library", "data is in the library by now", "moon is said"] {
            #expect(wrong.contains { $0.contains(words) }, "\(words)")
        }
    }
}
