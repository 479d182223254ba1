// SPDX-License-Identifier: Apache-2.0

/// A slice that was leased.
package struct LeasedSlice: Hashable, Sendable {
    package let quota: String
    package let endpoint: String
    /// 0: nothing was to be had now.
    package let requests: Int
    /// Between two requests, in nanoseconds: of the lowest rate that a process states.
    package let interval: UInt64
    /// Nanoseconds from when it was leased to its begin; below zero: it has begun.
    package let beginsIn: Int64
    /// Nothing more is leased for so many nanoseconds.
    package let pause: UInt64

    package init(
        quota: String, endpoint: String, requests: Int, interval: UInt64, beginsIn: Int64, pause: UInt64
    ) {
        self.quota = quota
        self.endpoint = endpoint
        self.requests = requests
        self.interval = interval
        self.beginsIn = beginsIn
        self.pause = pause
    }
}
