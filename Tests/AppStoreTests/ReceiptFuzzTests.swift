// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import TestSupport
import Testing

@testable import AppStore

/// The recorded answers, damaged: cut at every byte, and with every member left out, of another type or of another
/// value.
///
/// Nothing crashes, what cannot be read is refused with a reason, and no date of a row is ever other than recorded.
@Suite struct ReceiptFuzzTests {
    @Test(arguments: Sample.allCases)
    func `an answer cut at any byte is refused, or was whole`(sample: Sample) throws {
        let bytes = try sample.bytes()
        let whole = try sample.read(bytes).observations.map(\.periods)
        for length in bytes.indices {
            guard let reading = Self.reading(of: Array(bytes[..<length]), sample) else { continue }
            #expect(reading.observations.map(\.periods) == whole, "cut after \(length) bytes")
        }
    }

    @Test(arguments: Sample.allCases)
    func `a member that is missing or strange moves no date of any row`(sample: Sample) throws {
        let recorded = Self.dates(in: try sample.read(try sample.bytes()))
        var readings = 0
        try DamagedJSON.forEach(of: try sample.bytes()) { damage in
            guard let reading = Self.reading(of: damage.bytes, sample) else { return }
            readings += 1
            for (id, found) in Self.dates(in: reading) where recorded[id] != nil {
                #expect(found == recorded[id], "\(damage.path) as \(damage.stranger): \(id)")
            }
        }
        #expect(readings > 500, "too few answers could be read to prove anything")
    }

    /// Nil where the answer is refused.
    private static func reading(of bytes: [UInt8], _ sample: Sample) -> Reading? { try? sample.read(bytes) }

    private static func dates(in reading: Reading) -> [String: [Instant?]] {
        let periods = reading.observations.flatMap(\.periods)
        return Dictionary(periods.map { ($0.transactionID, [$0.purchasedAt, $0.start, $0.end, $0.refund?.at]) }) {
            first, _ in first
        }
    }
}
