// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing

@testable import Nightly

/// Twenty checks at least, and nine in ten, that end in one and the same way: of ids that were answered on earlier nights, where there
/// are such, else of all.
@Suite struct ConfigurationSuspicionTests {
    private static let bundle = SuspectSetting(finding: "are about another app", advice: "bundle_id")
    private static let root = SuspectSetting(finding: "are not signed under the root", advice: "root_certificate_file")

    /// Two reasons point to the root, and one to the bundle.
    private static func setting(_ reason: String) -> SuspectSetting? {
        ["wrong_bundle": bundle, "not_verified": root, "no_chain": root][reason]
    }

    private static func suspicion(
        wereAnswered: Bool = false, _ parts: [(checks: Int, reason: String?)]
    ) -> ConfigurationSuspicion {
        var suspicion = ConfigurationSuspicion()
        for part in parts {
            suspicion.note(checks: part.checks, wereAnswered: wereAnswered, endedBy: part.reason)
        }
        return suspicion
    }

    private static func finding(_ parts: (checks: Int, reason: String?)...) -> ConfigurationSuspicion.Finding? {
        suspicion(parts).finding(wasAppAnswered: false, setting)
    }

    @Test func `nineteen may be what they seem, and twenty point to the setting`() {
        #expect(Self.finding((19, "wrong_bundle")) == nil)
        #expect(Self.finding((20, "wrong_bundle"))?.setting == Self.bundle)
    }

    @Test func `nine in ten are enough, and fewer are not`() {
        #expect(Self.finding((90, "wrong_bundle"), (10, nil))?.checks == 90)
        #expect(Self.finding((90, "wrong_bundle"), (11, nil)) == nil)
    }

    @Test func `failures under different settings are not added up`() {
        #expect(Self.finding((50, "wrong_bundle"), (50, "not_verified")) == nil)
        #expect(Self.finding((5, "wrong_bundle"), (95, "not_verified"))?.setting == Self.root)
        #expect(Self.finding((50, "no_chain"), (50, "not_verified"))?.checks == 100)
    }

    /// Asked and pointing to the setting, of ids that were answered on earlier nights and of those that never were; whether the app
    /// has any of the former; and how many checks are found, of how many.
    @Test(
        arguments: [
            // 3,000 registered ids that no store knows, beside 100 good ones: of those that were answered none points to anything.
            (known: (100, 0), new: (3_000, 3_000), wasAppAnswered: true, found: nil),
            // The same on a first night: all count, and 3,000 of 3,100 are more than nine in ten.
            (known: (0, 0), new: (3_100, 3_000), wasAppAnswered: false, found: (3_000, 3_100)),
            // Only the unknown ones are due tonight: they say nothing.
            (known: (0, 0), new: (3_000, 3_000), wasAppAnswered: true, found: nil),
            // A setting that went wrong: those that were answered end so, whatever else is asked.
            (known: (20, 20), new: (0, 0), wasAppAnswered: true, found: (20, 20)),
            (known: (20, 20), new: (500, 0), wasAppAnswered: true, found: (20, 20)),
            (known: (22, 20), new: (500, 500), wasAppAnswered: true, found: (20, 22)),
            (known: (23, 20), new: (500, 500), wasAppAnswered: true, found: nil),
            (known: (19, 19), new: (500, 500), wasAppAnswered: true, found: nil),
            // That some were asked who were answered before says by itself that the app has such.
            (known: (1, 0), new: (99, 99), wasAppAnswered: false, found: nil),
        ] as [(known: (Int, Int), new: (Int, Int), wasAppAnswered: Bool, found: (Int, Int)?)])
    func `ids that were answered on earlier nights count alone, where there are such`(
        known: (Int, Int), new: (Int, Int), wasAppAnswered: Bool, found: (Int, Int)?
    ) {
        var suspicion = Self.suspicion(
            wereAnswered: true, [(known.1, "not_verified"), (known.0 - known.1, nil)])
        suspicion.add(Self.suspicion([(new.1, "not_verified"), (new.0 - new.1, nil)]))
        let expected = found.map { ConfigurationSuspicion.Finding(setting: Self.root, checks: $0.0, asked: $0.1) }
        #expect(suspicion.finding(wasAppAnswered: wasAppAnswered, Self.setting) == expected)
        // As a run's chunks count it, and a process reads it that resumes the run.
        #expect(ConfigurationSuspicion(counts: suspicion.counts) == suspicion)
    }

    @Test func `what is known of an app is added up over its chunks`() {
        var night = Self.suspicion([(15, "not_verified")])
        night.add(Self.suspicion([(10, "not_verified"), (2, nil)]))
        let expected = ConfigurationSuspicion.Finding(setting: Self.root, checks: 25, asked: 27)
        #expect(night.finding(wasAppAnswered: false, Self.setting) == expected)
    }

    @Test func `the sentence names the app, the numbers and the setting`() throws {
        let failure = try #require(Self.finding((121, "not_verified"))).failure(of: AppID("acme-ios"))
        for word in ["acme-ios", "121 of 121", "root_certificate_file", "stay due"] {
            #expect(failure.message.contains(word))
        }
        #expect(failure.stopsApp)
    }

    @Test func `without any check no setting is suspected`() {
        #expect(ConfigurationSuspicion().finding(wasAppAnswered: false, Self.setting) == nil)
    }
}
