// SPDX-License-Identifier: Apache-2.0

/// A part of what a figure moved by since it was issued: everything of one cause.
package struct Movement: Sendable, Hashable {
    package let cause: MovementCause
    package let micros: Int64
    /// Transactions (of reports that count lineages: lineages) that moved it.
    package let count: Int
    /// The one that moved it most, as `explain` takes it.
    package let largest: String?
    package let largestMicros: Int64

    /// By cause, the largest first; with the rest they come to the whole difference.
    static func all(
        _ moved: [MovedOrigin], _ facts: [RowOrigin.Lasting: LearnedFacts], rest: UnexplainedRest
    ) -> [Movement] {
        let causes = Dictionary(grouping: moved) { part in
            let cause = (facts[part.origin] ?? LearnedFacts()).cause(of: part)
            return cause == .unknown ? rest.causeOfUnlearned : cause
        }
        var movements = causes.map { cause, parts in
            let largest = parts.min { ($1.micros.magnitude, $0.origin.id) < ($0.micros.magnitude, $1.origin.id) }
            return Movement(
                cause: cause, micros: parts.reduce(0) { $0 + $1.micros }, count: parts.count,
                largest: largest?.origin.id, largestMicros: largest?.micros ?? 0)
        }
        if rest.micros != 0 { movements.add(rest) }
        return movements.sorted { ($0.micros.magnitude, $1.cause.rawValue) > ($1.micros.magnitude, $0.cause.rawValue) }
    }
}

extension [Movement] {
    /// To what transactions moved for the same cause, where there is such.
    fileprivate mutating func add(_ rest: UnexplainedRest) {
        let index = firstIndex { $0.cause == rest.cause }
        let known = index.map { remove(at: $0) }
        append(
            Movement(
                cause: rest.cause, micros: (known?.micros ?? 0) + rest.micros, count: known?.count ?? 0,
                largest: known?.largest, largestMicros: known?.largestMicros ?? 0))
    }
}
