// SPDX-License-Identifier: Apache-2.0

/// How long a change of the schema is tried while others hold locks.
package struct LockPatience: Sendable {
    /// From the first attempt on.
    package var limit: Duration = .seconds(120)
    /// After which it is said who holds what.
    package var untilReported: Duration = .seconds(10)
    /// Between two attempts: whoever queued behind one goes on meanwhile.
    package var pause: Duration = .milliseconds(300)

    package init() {}
}
