// SPDX-License-Identifier: Apache-2.0

import Model
import TestSupport
import Testing

@testable import Delivery

/// What a service that awaits nights is pinged of, and that no ping says its address.
@Suite struct PingEventTests {
    private static func event(_ code: Int32, hasStarted: Bool = true, hours: Int64 = 0) -> PingEvent? {
        PingEvent(endingWith: code, hasStarted: hasStarted, elapsed: .hours(hours), finishWithin: .hours(5))
    }

    @Test func `a night that is done is a success, and a start with nothing to do is nothing`() {
        #expect(Self.event(0) == .success)
        #expect(Self.event(0, hasStarted: false) == nil)
    }

    @Test(arguments: [1, 2, 64] as [Int32], [true, false])
    func `what needs a person is a failure, whether a night began or not`(_ code: Int32, _ hasStarted: Bool) {
        #expect(Self.event(code, hasStarted: hasStarted) == .failure)
    }

    @Test func `what may pass is a failure once the date's time is over, and an interruption is nothing`() {
        #expect(Self.event(75, hours: 4) == nil)
        #expect(Self.event(75, hours: 5) == .failure)
        for code in [129, 130, 143] as [Int32] { #expect(Self.event(code, hours: 9) == nil) }
    }

    @Test(.hangLimit) func `a ping is tried three times, and its failure is a line without the address`() async throws {
        let log = RecordedLog()
        let service = try LoopbackServer { _, number in .init(number < 3 ? 500 : 200) }
        let sender = PingSender(logger: log.logger, pause: .milliseconds(1))
        await sender.send(.success, to: Secret(service.url + "/secret"))
        #expect(service.requests.map(\.path) == ["/secret", "/secret", "/secret"])
        #expect(!log.lines.contains { $0.hasPrefix("warning") })
        let down = try LoopbackServer { _, _ in .init(503) }
        await sender.send(.failure, to: Secret(down.url + "/secret"))
        let lines = log.lines.filter { $0.hasPrefix("warning") }
        #expect(lines.count == 1 && lines[0].contains("ping.failure_file was not sent: the service answers 503"))
        #expect(!log.lines.contains { $0.contains("secret") })
    }
}
