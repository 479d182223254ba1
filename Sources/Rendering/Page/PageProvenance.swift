// SPDX-License-Identifier: Apache-2.0

/// What of the last thirty days' money is estimated, listed, missing or not converted: each its own share.
package struct PageProvenance {
    /// Micros in the reporting currency; nil where nothing has a rate.
    let proceeds: Int64?
    /// Movements without a rate.
    let unconverted: Int64
    /// Millionths of what moved, by the name of the sentence that says it; nil where nothing moved.
    let shares: [(text: String, millionths: Int64?)]

    /// - Parameters: shares of what moved, each in millionths.
    package init(proceeds: Int64?, unconverted: Int64, estimated: Int64?, missing: Int64?, listed: Int64?) {
        (self.proceeds, self.unconverted) = (proceeds, unconverted)
        shares = [("estimatedShare", estimated), ("missingShare", missing), ("listedShare", listed)]
    }

    /// A sentence for each that there is.
    func sentences(_ texts: PageTexts, of days: Int, in currency: String) -> [String] {
        let converted = proceeds.map {
            texts[
                "proceeds30", "days", texts.days(days), "amount", AmountText.amount($0, in: currency),
                "currency", currency]
        }
        let parts = shares.compactMap { text, millionths in
            millionths.flatMap { $0 > 0 ? AmountText.share($0, of: 1_000_000) : nil }.map { texts[text, "share", $0] }
        }
        let rest = unconverted > 0 ? texts["unconvertedCount", "count", AmountText.count(unconverted)] : nil
        let all = [converted].compactMap(\.self) + parts + [rest].compactMap(\.self)
        return all.isEmpty ? [] : [all.joined(separator: texts["sentenceGap"])]
    }
}
