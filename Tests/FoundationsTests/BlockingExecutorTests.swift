// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Foundations
import Testing

@Suite struct BlockingExecutorTests {
    /// All but the last wait until the last has come: with fewer threads than there are of them none would ever go on.
    private final class Meeting: Sendable {
        private let everyone = DispatchGroup()

        init(of count: Int) { for _ in 0..<count { everyone.enter() } }

        func attend() {
            everyone.leave()
            everyone.wait()
        }
    }

    private actor Blocked {
        private nonisolated let executor = BlockingExecutor(label: "subledger.test")
        private var calls = 0

        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

        func attend(_ meeting: Meeting) { meeting.attend() }

        /// Between the two lines another call would change what is counted.
        func call() {
            let before = calls
            usleep(100)
            calls = before + 1
        }

        var count: Int { calls }
    }

    @Test func `calls that block do not wait for one another's actors`() async {
        let count = 2 * ProcessInfo.processInfo.activeProcessorCount + 2
        let meeting = Meeting(of: count)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask { await Blocked().attend(meeting) } }
        }
    }

    @Test func `calls of one actor run one after the other`() async {
        let actor = Blocked()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { await actor.call() } }
        }
        #expect(await actor.count == 50)
    }
}
