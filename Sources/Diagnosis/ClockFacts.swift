// SPDX-License-Identifier: Apache-2.0

package import Model

/// This machine's clock beside the database's and the stores'.
package struct ClockFacts: Sendable {
    /// Another clock, and how far this machine's is ahead of it.
    package struct Other: Sendable {
        package var name: String
        package var ahead: Span

        package init(name: String, ahead: Span) { (self.name, self.ahead) = (name, ahead) }
    }

    /// Jobs begin by this machine's clock only where the database's is no further off.
    private static let databaseTolerance = Span.minutes(10)
    /// Tokens are refused beyond.
    private static let storeTolerance = Span.seconds(60)

    package var database: Other?
    package var stores: [Other]
    /// `clock: simulated`: the clocks of a trial are not compared.
    package var isSimulated: Bool

    package init(database: Other? = nil, stores: [Other] = [], isSimulated: Bool = false) {
        (self.database, self.stores, self.isSimulated) = (database, stores, isSimulated)
    }

    var findings: [Finding] {
        guard !isSimulated else { return [.fine("clock", "it is simulated, and compared with none")] }
        let others = ([database] + stores).compactMap(\.self)
        guard !others.isEmpty else {
            return [.skipped("clock", "neither the database nor a store said what time it is")]
        }
        let wrong = [
            database.flatMap { $0.ahead.distance > Self.databaseTolerance ? $0 : nil },
            furthestStore.flatMap { $0.ahead.distance > Self.storeTolerance ? $0 : nil },
        ].compactMap(\.self)
        guard wrong.isEmpty else { return wrong.map(Self.finding) }
        let agreeing = (database.map { [$0.name] } ?? []) + (stores.isEmpty ? [] : ["\(stores.count) stores' answers"])
        return [.fine("clock", "as \(agreeing.joined(separator: " and ")) have it")]
    }

    /// One line for all stores: what is wrong is mostly this machine's.
    private var furthestStore: Other? { stores.max { $0.ahead.distance < $1.ahead.distance } }

    private static func finding(_ other: Other) -> Finding {
        .toDo(
            "clock",
            "this machine's is \(other.ahead.distance.words) \(other.ahead.micros > 0 ? "ahead of" : "behind") \(other.name): "
                + "set the wrong one right (timedatectl says whether time is synchronised)")
    }
}

extension Span {
    fileprivate var distance: Span { micros < 0 ? Span(micros: -micros) : self }
}
