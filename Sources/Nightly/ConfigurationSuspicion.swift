// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// Distinguishes a wrong setting from a bad night: with a wrong setting, most of an app's checks end in one and the
/// same way, which points to the configuration. Pure.
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
                .credential, reason: "wrong_setting",
                message: "App \(app) stops: \(checks) of \(asked) answers \(setting.finding). Look at "
                    + "\(setting.advice). None of them was booked or set aside: they stay due, and the next run asks "
                    + "again.")
        }
    }

    private var asked = 0
    private var ended: [SuspectSetting: Int] = [:]

    /// Checks that were made, and the setting that their end points to, if any.
    mutating func note(checks: Int, pointingTo setting: SuspectSetting?) {
        asked += checks
        if let setting { ended[setting, default: 0] += checks }
    }

    mutating func add(_ other: ConfigurationSuspicion) {
        asked += other.asked
        ended.merge(other.ended, uniquingKeysWith: +)
    }

    /// Nil: each check is what it seems.
    var finding: Finding? {
        guard let (setting, checks) = ended.max(by: { $0.value < $1.value }), checks >= Self.least,
            checks * 100 >= asked * Self.leastPercent
        else { return nil }
        return Finding(setting: setting, checks: checks, asked: asked)
    }
}
