// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HTTP

/// The first-byte and low-speed limits, assessed at instants the test chooses.
@Suite struct PaceTests {
    private let start = ContinuousClock.now
    private let limits = HTTPLimits(
        firstByte: .seconds(30), lowSpeedBytesPerSecond: 100, lowSpeedTime: .seconds(20))

    private func observe(_ phase: TransferPhase, received: Int = 0) -> TransferPace.Observation {
        TransferPace.Observation(phase: phase, connectingSince: start, waitingSince: start, received: received)
    }

    @Test func `the first byte has its full time, and connecting does not use it up`() {
        var pace = TransferPace()
        #expect(
            pace.assess(observe(.connecting), at: start + .seconds(3_600), limits: limits, isHostConnected: true) == nil
        )
        #expect(
            pace.assess(observe(.waiting), at: start + .milliseconds(29_999), limits: limits, isHostConnected: true)
                == nil)
        #expect(
            pace.assess(observe(.waiting), at: start + .seconds(30), limits: limits, isHostConnected: true)
                == .firstByteTimedOut)
    }

    @Test func `connecting has its time from the start, unless the host is connected and has other requests first`() {
        var pace = TransferPace()
        let limits = HTTPLimits(connect: .seconds(10))
        func assess(after seconds: Double, isHostConnected: Bool) -> HTTPError.Code? {
            pace.assess(
                observe(.connecting), at: start + .seconds(seconds), limits: limits, isHostConnected: isHostConnected)
        }
        #expect(assess(after: 9.999, isHostConnected: false) == nil)
        #expect(assess(after: 10, isHostConnected: false) == .connectTimedOut)
        #expect(assess(after: 59, isHostConnected: true) == nil)
    }

    @Test func `the rate is measured from the first byte, over whole windows`() {
        var pace = TransferPace()
        let first = start + .seconds(29)
        #expect(
            pace.assess(observe(.receiving, received: 500), at: first, limits: limits, isHostConnected: true) == nil)
        #expect(
            pace.assess(
                observe(.receiving, received: 500), at: first + .seconds(19), limits: limits, isHostConnected: true)
                == nil)
        // 2,000 bytes in 20 seconds are exactly the least rate.
        #expect(
            pace.assess(
                observe(.receiving, received: 2_500), at: first + .seconds(20), limits: limits, isHostConnected: true)
                == nil)
        #expect(
            pace.assess(
                observe(.receiving, received: 4_499), at: first + .seconds(40), limits: limits, isHostConnected: true)
                == .tooSlow)
    }

    @Test func `a rate of zero switches the check off`() {
        var pace = TransferPace()
        var limits = limits
        limits.lowSpeedBytesPerSecond = 0
        #expect(pace.assess(observe(.receiving), at: start, limits: limits, isHostConnected: true) == nil)
        #expect(
            pace.assess(observe(.receiving), at: start + .seconds(600), limits: limits, isHostConnected: true) == nil)
    }
}
