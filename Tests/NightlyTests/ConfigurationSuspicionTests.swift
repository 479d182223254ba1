// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing

@testable import Nightly

/// Twenty checks at least, and nine in ten, that end in one and the same way.
@Suite struct ConfigurationSuspicionTests {
    private static let bundle = SuspectSetting(finding: "are about another app", advice: "bundle_id")
    private static let root = SuspectSetting(finding: "are not signed under the root", advice: "root_certificate_file")

    private static func suspicion(_ parts: (checks: Int, setting: SuspectSetting?)...) -> ConfigurationSuspicion {
        var suspicion = ConfigurationSuspicion()
        for part in parts { suspicion.note(checks: part.checks, pointingTo: part.setting) }
        return suspicion
    }

    @Test func `nineteen may be what they seem, and twenty point to the setting`() {
        #expect(Self.suspicion((19, Self.bundle)).finding == nil)
        #expect(Self.suspicion((20, Self.bundle)).finding?.setting == Self.bundle)
    }

    @Test func `nine in ten are enough, and fewer are not`() {
        #expect(Self.suspicion((90, Self.bundle), (10, nil)).finding?.checks == 90)
        #expect(Self.suspicion((90, Self.bundle), (11, nil)).finding == nil)
    }

    @Test func `failures under different settings are not added up`() {
        #expect(Self.suspicion((50, Self.bundle), (50, Self.root)).finding == nil)
        #expect(Self.suspicion((5, Self.bundle), (95, Self.root)).finding?.setting == Self.root)
    }

    @Test func `what is known of an app is added up over its chunks`() {
        var night = Self.suspicion((15, Self.root))
        night.add(Self.suspicion((10, Self.root), (2, nil)))
        #expect(night.finding == ConfigurationSuspicion.Finding(setting: Self.root, checks: 25, asked: 27))
    }

    @Test func `the sentence names the app, the numbers and the setting`() throws {
        let failure = try #require(Self.suspicion((121, Self.root)).finding).failure(of: AppID("acme-ios"))
        for word in ["acme-ios", "121 of 121", "root_certificate_file", "stay due"] {
            #expect(failure.message.contains(word))
        }
        #expect(failure.stopsApp)
    }

    @Test func `without any check no setting is suspected`() { #expect(ConfigurationSuspicion().finding == nil) }
}
