// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Postgres
import Synchronization
import Testing

@Suite struct ChildProcessTests {
    /// Opens files that children inherit, and closes them, for as long as the work lasts.
    private static func whileOpening(_ work: () throws -> Void) rethrows {
        final class Flag: Sendable {
            let isOver = Atomic(false)
        }
        let flag = Flag()
        Thread.detachNewThread {
            while !flag.isOver.load(ordering: .relaxed) {
                let descriptors = (0..<8).map { _ in unsafe open("/dev/null", O_RDONLY) }
                for descriptor in descriptors { close(descriptor) }
            }
        }
        defer { flag.isOver.store(true, ordering: .relaxed) }
        try work()
    }

    @Test func `a program inherits nothing, even of what is opened while it starts`() throws {
        try Self.whileOpening {
            for _ in 0..<60 {
                let ending = try ChildProcess(["/bin/ls", "/proc/self/fd"]).run()
                // Its three streams and the folder it reads.
                #expect(ending.output.split(separator: "\n") == ["0", "1", "2", "3"])
            }
        }
    }
}
