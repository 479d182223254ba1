// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// Distinguishes a wrong setting from a bad night: with a wrong setting, most of an app's checks end in one and the
/// same way, which points to the configuration.
///
/// Pure.
///
/// Ids that the store never answered for say nothing about a setting under which others were answered on earlier nights: where
/// there are such others, they alone are counted.
struct ConfigurationSuspicion: Hashable, Sendable {
    /// Fewer may be what they seem.
    private static let least = 20
    private static let leastPercent = 90

    /// What most checks point to.
    struct Finding: Hashable {
        let setting: SuspectSetting
        let checks: Int
        let asked: Int

        func failure(of app: AppID) -> StoreFailure {
            StoreFailure(
                .credential, because: .wrongSetting,
                message: "App \(app) stops: \(checks) of \(asked) answers \(setting.finding). Look at "
                    + "\(setting.advice). None of them was booked or set aside: they stay due, and the next run asks "
                    + "again.")
        }
    }

    /// Checks that were made, and how many of them ended for each reason that points to a setting.
    private struct Tally: Hashable {
        var asked = 0
        var ended: [String: Int] = [:]

        mutating func add(_ other: Tally) {
            asked += other.asked
            ended.merge(other.ended, uniquingKeysWith: +)
        }

        func finding(_ setting: (String) -> SuspectSetting?) -> Finding? {
            let pairs = ended.compactMap { reason, checks in setting(reason).map { ($0, checks) } }
            let bySetting = Dictionary(pairs, uniquingKeysWith: +)
            guard let (setting, checks) = bySetting.max(by: { $0.value < $1.value }),
                checks >= ConfigurationSuspicion.least,
                checks * 100 >= asked * ConfigurationSuspicion.leastPercent
            else { return nil }
            return Finding(setting: setting, checks: checks, asked: asked)
        }
    }

    /// Of ids that were answered well on earlier nights, and of those that never were.
    private var known = Tally()
    private var new = Tally()

    init() {}

    /// Checks that were made.
    ///
    /// `wereAnswered`: on earlier nights, and well.
    /// `reason`: why they came to nothing, where that points to a setting.
    mutating func note(checks: Int, wereAnswered: Bool, endedBy reason: String?) {
        guard checks > 0 else { return }
        let tally = Tally(asked: checks, ended: reason.map { [$0: checks] } ?? [:])
        if wereAnswered { known.add(tally) } else { new.add(tally) }
    }

    mutating func add(_ other: ConfigurationSuspicion) {
        known.add(other.known)
        new.add(other.new)
    }

    /// Nil: each check is what it seems.
    ///
    /// `wasAppAnswered`: ids of the app were answered well on earlier nights, be they asked tonight or not.
    /// `setting`: the one that a reason points to.
    func finding(wasAppAnswered: Bool, _ setting: (String) -> SuspectSetting?) -> Finding? {
        if wasAppAnswered || known.asked > 0 { return known.finding(setting) }
        return new.finding(setting)
    }
}

/// As a run's chunks count it, so that it is the run's, whichever process asked.
extension ConfigurationSuspicion {
    private static let asked = "asked"

    var counts: [String: Int64] {
        var counts: [String: Int64] = [:]
        for (name, tally) in [("known", known), ("new", new)] where tally.asked > 0 {
            counts["\(name).\(Self.asked)"] = Int64(tally.asked)
            for (reason, checks) in tally.ended { counts["\(name).by.\(reason)"] = Int64(checks) }
        }
        return counts
    }

    init(counts: [String: Int64]) {
        self.init()
        for (name, count) in counts {
            let parts = name.split(separator: ".", maxSplits: 2).map(String.init)
            let tally =
                parts.count == 3
                ? Tally(ended: [parts[2]: Int(count)]) : Tally(asked: parts.last == Self.asked ? Int(count) : 0)
            if parts.first == "known" { known.add(tally) } else { new.add(tally) }
        }
    }
}
