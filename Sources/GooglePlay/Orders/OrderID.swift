// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An order's id: `GPA.1111-2222-3333-44444` for the first order of a purchase, with `..0` for its first renewal,
/// `..1` for the next.
struct OrderID: Hashable {
    /// The first order's id, which all renewals share.
    let base: String
    /// 0 for the first order, n + 1 for `..n`.
    let position: Int

    init(base: String, position: Int) {
        self.base = base
        self.position = position
    }

    /// What has no number behind two dots is a base id, whatever it looks like.
    init(_ text: String) {
        guard let dots = text.range(of: "..", options: .backwards), dots.lowerBound > text.startIndex,
            let number = Int(text[dots.upperBound...]), (0..<1_000_000).contains(number)
        else {
            self.init(base: text, position: 0)
            return
        }
        self.init(base: String(text[..<dots.lowerBound]), position: number + 1)
    }

    var isBase: Bool { position == 0 }

    var text: String { isBase ? base : "\(base)..\(position - 1)" }
}
