// SPDX-License-Identifier: Apache-2.0

/// Words in a run's answers and notifications that this version does not know: counted with its figures, printed apart.
struct UnknownText {
    /// Names that are printed; the rest is a number.
    private static let named = 10
    /// As run figures mark them: fields and values of answers, types of notifications.
    private static let marks = ["unknown_value.", "unknown."]

    /// The figures without them.
    let known: [String: Int64]
    private let unknown: [(name: String, times: Int64)]

    init(_ counts: [String: Int64]) {
        known = counts.filter { count in !Self.marks.contains { count.key.hasPrefix($0) } }
        unknown = counts.compactMap { name, times in
            Self.marks.first { name.hasPrefix($0) }.map { (String(name.dropFirst($0.count)), times) }
        }.sorted { ($1.times, $0.name) < ($0.times, $1.name) }
    }

    /// `transaction.offerType=9 (3), statuses.mood (1)`; nil where there is nothing.
    var line: String? {
        guard !unknown.isEmpty else { return nil }
        let names = unknown.prefix(Self.named).map { "\($0.name) (\($0.times.grouped))" }
        let more = unknown.count > Self.named ? ["and \(Int64(unknown.count - Self.named).grouped) more"] : []
        return (names + more).joined(separator: ", ").printable
    }
}
