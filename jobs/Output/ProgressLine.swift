// SPDX-License-Identifier: Apache-2.0

import Model

/// How a night gets on, as one line that is no wider than the place it has.
///
/// Pure. Apps have a part each as long as there is room for all of them, then one part together; what is left out next is the bar, then
/// rate and time left.
struct ProgressLine {
    /// More apps than these are one part, however wide the place is.
    private static let namedApps = 6

    let apps: [AppID: AppProgress]
    let now: ContinuousClock.Instant

    /// `width`: nil where lines are not drawn over, and have no bar.
    func text(width: Int?) -> String {
        let candidates =
            (apps.count <= Self.namedApps ? [each(hasBar: width != nil)] : [])
            + [sum.map { whole($0, hasBar: width != nil) }, sum.map { whole($0, hasBar: false) }, sum?.counts]
            .compactMap(\.self)
        guard let width else { return candidates.first ?? "" }
        return candidates.first { $0.count <= width } ?? String((candidates.last ?? "").prefix(max(width, 0)))
    }

    private func each(hasBar: Bool) -> String {
        apps.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text(at: now, hasBar: hasBar))" }
            .joined(separator: "   ")
    }

    private func whole(_ sum: AppProgress, hasBar: Bool) -> String {
        let name = apps.count == 1 ? "" : "\(Int64(apps.count).grouped) apps "
        return name + sum.text(at: now, hasBar: hasBar)
    }

    private var sum: AppProgress? { apps.values.reduce(nil) { $0?.adding($1) ?? $1 } }

    /// What a night's last part is: its apps are asked, and its reports are written.
    static func reports(since start: ContinuousClock.Instant, now: ContinuousClock.Instant, width: Int?) -> String {
        let seconds = start.duration(to: now).components.seconds
        let text = "writing the reports, \(AppProgress.time(seconds: seconds))"
        return width.map { String(text.prefix(max($0, 0))) } ?? text
    }
}
