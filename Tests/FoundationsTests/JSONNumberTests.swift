// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Testing

/// Numbers are what Foundation's decoder takes them for.
@Suite struct JSONNumberTests {
    private static let spellings = [
        "0", "-0", "7", "-7", "7.0", "7.5", "-7.50", "1e3", "1E+3", "1e-3", "12.30e1", "0.1", "100e-2", "1e0",
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "12345678901234567890",
        "9007199254740993", "9007199254740992.0", "9007199254740993.0", "9223372036854775807.0", "1e18", "1e19", "1e30",
        "0.000001", "123456789.123456789", "99999999999999999999999999999999999999",
    ]

    private static func document(_ number: String) throws -> (JSONDocument, JSONDocument.Value) {
        let document = try #require(JSONDocument(Array("[\(number)]".utf8)))
        return (document, try #require(document.root.elements?.first))
    }

    @Test(arguments: spellings)
    func `a whole number is read, however it is spelt`(number: String) throws {
        let (document, value) = try Self.document(number)
        let decoded = try? JSONDecoder().decode([Int64].self, from: Data("[\(number)]".utf8)).first
        #expect(document.whole(value) == decoded)
    }

    @Test(arguments: spellings)
    func `any number is read exactly`(number: String) throws {
        let (document, value) = try Self.document(number)
        let decoded = try JSONDecoder().decode([Decimal].self, from: Data("[\(number)]".utf8)).first
        #expect(document.decimal(value)?.description == decoded?.description)
    }

    @Test(arguments: ["\"7\"", "true", "null", "[7]", "{}"])
    func `another value is no number`(text: String) throws {
        let (document, value) = try Self.document(text)
        #expect(document.whole(value) == nil && document.decimal(value) == nil)
    }
}
