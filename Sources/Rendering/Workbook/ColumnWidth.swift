// SPDX-License-Identifier: Apache-2.0

/// How wide a column has to be for its name and its cells as they are shown: a number that does not fit is a row of `#`.
struct ColumnWidth {
    /// Beyond it text runs on, or is cut off by its neighbour.
    private static let most = 48.0
    /// The button of the filter beside a name, which is bold.
    private static let buttonWidth = 3.5

    private let kind: SheetColumn.Kind
    private let ofName: Double
    /// Of the longest cell.
    private var longest = 0
    private var digits = 0

    init(_ column: SheetColumn) {
        kind = column.kind
        ofName = Double(column.name.utf8.count) * 1.1 + Self.buttonWidth
    }

    /// `digits`: of the minor unit of an amount's currency.
    mutating func take(_ value: String?, digits: Int) {
        guard let value, value.utf8.count > longest else { return }
        longest = max(longest, kind == .text ? Self.columns(of: value) : value.utf8.count)
        self.digits = max(self.digits, digits)
    }

    /// In characters.
    var characters: Double { min(max(ofName, Double(displayed) + 1.5), Self.most) }

    /// The longest cell's, as it is shown.
    private var displayed: Int {
        switch kind {
        case .text: longest
        case .date: 10
        case .month: 8
        case .instant: 19
        case .share: 8
        case .count: Self.grouped(longest)
        // Six decimals and a point, and those that are shown.
        case .amount: Self.grouped(max(longest - 7, 1)) + (digits > 0 ? digits + 1 : 0)
        case .decimal, .rate: Self.grouped(max(longest - 7, 1)) + 9
        }
    }

    /// With a comma after every third digit.
    private static func grouped(_ digits: Int) -> Int { digits + max(digits - 1, 0) / 3 }

    /// Characters of East Asia are two columns wide.
    private static func columns(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x2E80 ? 2 : 1) }
    }
}
