// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// One date of a receipt, given in up to three forms: in milliseconds, in GMT, and in California's time.
///
/// Any one suffices. Where they contradict each other by more than a second the row cannot be trusted, except that
/// California's form alone never outweighs the milliseconds.
struct ReceiptDate {
    /// The forms contradict each other.
    struct Contradiction: Error {}

    private static let tolerance = Span.seconds(1)

    private let milliseconds: Instant?
    private let plain: Instant?
    /// Two instants in the hour that the end of summer time repeats.
    private let pacific: [Instant]
    private let isPresent: Bool

    /// `formatted`: another name of the texts, where the plain name may hold milliseconds (iOS 6).
    init(_ fields: Fields, _ name: String, formatted: String? = nil) {
        let texts = [name, formatted].compactMap(\.self)
        let plainTexts = texts.compactMap { fields.text($0) }
        let pacificTexts = texts.compactMap { fields.text($0 + "_pst") }
        let number = fields.integer(name + "_ms") ?? plainTexts.lazy.compactMap { Int64($0) }.first
        milliseconds = Instant(storeMilliseconds: number)
        plain = plainTexts.lazy.compactMap { ReceiptClock.instants(of: $0).first }.first
        pacific = pacificTexts.lazy.map(ReceiptClock.instants).first { !$0.isEmpty } ?? []
        isPresent = number != nil || !plainTexts.isEmpty || !pacificTexts.isEmpty
    }

    /// There was something where a date should be, and none of it could be read.
    var isUnreadable: Bool { isPresent && milliseconds == nil && plain == nil && pacific.isEmpty }

    /// The instant that all forms agree on; nil when there is none.
    ///
    /// `pacificDisagrees` is set where only that one does.
    func instant(pacificDisagrees: inout Bool) throws(Contradiction) -> Instant? {
        if let milliseconds, let plain, Self.differ(milliseconds, plain) { throw Contradiction() }
        guard let instant = milliseconds ?? plain else { return pacific.first }
        guard !pacific.isEmpty, pacific.allSatisfy({ Self.differ($0, instant) }) else { return instant }
        guard milliseconds != nil else { throw Contradiction() }
        pacificDisagrees = true
        return instant
    }

    /// The instant where nothing hangs on a contradiction.
    var best: Instant? { milliseconds ?? plain ?? pacific.first }

    private static func differ(_ left: Instant, _ right: Instant) -> Bool {
        left - right > tolerance || right - left > tolerance
    }
}
