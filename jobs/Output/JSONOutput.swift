// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations

/// JSON for whoever reads the jobs' output: members are named as the tables' columns are.
enum JSONOutput {
    /// On one line.
    static func line(_ value: some Encodable) -> String {
        text(try? JSONText.encode(value, names: .convertToSnakeCase))
    }

    /// Indented, for people and `jq`.
    static func indented(_ value: some Encodable) -> String {
        text(try? JSONText.encode(value, isIndented: true, names: .convertToSnakeCase))
    }

    private static func text(_ json: [UInt8]?) -> String { json.map { String(decoding: $0, as: UTF8.self) } ?? "{}" }
}
