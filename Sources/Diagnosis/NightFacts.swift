// SPDX-License-Identifier: Apache-2.0

package import Model

/// How long the last night took, beside what hides that nights are a day apart.
package struct NightFacts: Sendable {
    /// Between two nights' beginnings.
    private static let interval = Span.hours(24)

    package var businessDate: String
    package var length: Span
    /// Since its seal.
    package var age: Span
    /// `grace_buffer`.
    package var buffer: Span

    package init(businessDate: String, length: Span, age: Span, buffer: Span) {
        (self.businessDate, self.length, self.age, self.buffer) = (businessDate, length, age, buffer)
    }

    private var needed: Span { Span(micros: Self.interval.micros + length.micros) }

    var finding: Finding {
        let took = "the night of \(businessDate) took \(length.words)"
        guard needed > buffer else {
            return .fine("grace_buffer", "\(buffer.words) hide that nights are a day apart: \(took)")
        }
        let hour = Span.hours(1).micros
        return .toDo(
            "grace_buffer",
            "it is \(buffer.words), and \(took): who renews just after a night was asked may be without access until the next has "
                + "come to it; set grace_buffer: \((needed.micros + hour - 1) / hour)h")
    }
}
