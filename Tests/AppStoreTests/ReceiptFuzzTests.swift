// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import Testing

@testable import AppStore

/// The recorded answers, damaged: cut at every byte, and with every member left out, of another type or of another value.
/// Nothing crashes, what cannot be read is refused with a reason, and no date of a row is ever other than recorded.
@Suite struct ReceiptFuzzTests {
    /// What stands in for a member.
    private static var strangers: [Any] {
        [
            NSNull(), 0, -1, 9_223_372_036_854_775_807, 0.5, true, "", "unexpected", "-1", "99999999999999999999",
            [Any](),
            [String: Any](), [["unexpected": 1]],
        ]
    }

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
        let object = try sample.object()
        let recorded = Self.dates(in: try sample.read(object))
        var readings = 0
        for path in Self.paths(in: object) {
            for stranger in [Any?.none] + Self.strangers.map(Optional.some) {
                let damaged = Self.replaced(object, at: path[...], by: stranger) as? [String: Any] ?? [:]
                guard let reading = Self.reading(of: try Rows.json(damaged), sample) else { continue }
                readings += 1
                for (id, found) in Self.dates(in: reading) where recorded[id] != nil {
                    #expect(found == recorded[id], "\(path) as \(String(describing: stranger)): \(id)")
                }
            }
        }
        #expect(readings > 500, "too few answers could be read to prove anything")
    }

    /// Nil where the answer is refused; any other error is the test's.
    private static func reading(of bytes: [UInt8], _ sample: Sample) -> Reading? { try? sample.read(bytes) }

    private static func dates(in reading: Reading) -> [String: [Instant?]] {
        let periods = reading.observations.flatMap(\.periods)
        return Dictionary(periods.map { ($0.transactionID, [$0.purchasedAt, $0.start, $0.end, $0.refund?.at]) }) {
            first, _ in first
        }
    }

    /// The paths of every member and element, containers included; of an array its index as text.
    private static func paths(in value: Any) -> [[String]] {
        switch value {
        case let fields as [String: Any]:
            fields.sorted { $0.key < $1.key }.flatMap { name, member in
                [[name]] + paths(in: member).map { [name] + $0 }
            }
        case let elements as [Any]:
            elements.enumerated().flatMap { index, element in
                [["\(index)"]] + paths(in: element).map { ["\(index)"] + $0 }
            }
        default: []
        }
    }

    private static func replaced(_ value: Any, at path: ArraySlice<String>, by stranger: Any?) -> Any {
        guard let name = path.first else { return value }
        let rest = path.dropFirst()
        if var fields = value as? [String: Any] {
            fields[name] = rest.isEmpty ? stranger : fields[name].map { replaced($0, at: rest, by: stranger) }
            return fields
        }
        guard var elements = value as? [Any], let index = Int(name) else { return value }
        if !rest.isEmpty {
            elements[index] = replaced(elements[index], at: rest, by: stranger)
        } else if let stranger {
            elements[index] = stranger
        } else {
            elements.remove(at: index)
        }
        return elements
    }
}
