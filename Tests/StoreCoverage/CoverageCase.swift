// SPDX-License-Identifier: Apache-2.0

@testable package import StoreSimulator

/// A case that a reader must cope with, by its name, and whether somebody shows it between two instants: by the facts of the
/// lives alone, and not by how they were written.
package struct CoverageCase<Subject: Sendable>: Sendable {
    package let name: String
    package let occurs: @Sendable (Subject, ClosedRange<Int64>) -> Bool
    /// Whether it can happen in such an app at all.
    package var isFor: @Sendable (SimulatedApp) -> Bool = { _ in true }

    /// The same where nothing but such apps can show it.
    func only(_ isFor: @escaping @Sendable (SimulatedApp) -> Bool) -> Self {
        var limited = self
        limited.isFor = isFor
        return limited
    }

    /// How many of them show each case within the span; every case is named, those that never occur too.
    static func count(_ cases: [Self], of subjects: [Subject], in span: ClosedRange<Int64>) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: cases.map { it in (it.name, subjects.count { it.occurs($0, span) }) })
    }
}

extension SimulatedStores {
    /// The cases that fewer customers of an app show than that, from the first night until then; every app's apart.
    package func rareCases(below least: Int, until end: Int64) -> [String] {
        let span = configuration.startClock + CivilTime.day...end
        return configuration.apps.flatMap { app -> [String] in
            let counts =
                app.play == nil
                ? AppStoreCoverage.count(backend.customers.filter { $0.appID == app.id }, in: span, of: app)
                : PlayCoverage.count(backend.play.customers.filter { $0.appID == app.id }, until: end)
            return counts.filter { $0.value < least }.map { "\(app.id): \($0.key)" }
        }.sorted()
    }
}
