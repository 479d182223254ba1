// SPDX-License-Identifier: Apache-2.0

/// The next slice of time that an endpoint of a quota asks for.
package struct WantedSlice: Hashable, Sendable {
    package let quota: String
    package let endpoint: String
    /// Between two requests at the rate that this process states, in nanoseconds.
    package let interval: UInt64
    package let requests: Int
    /// How much later than evenly its requests may leave, in nanoseconds.
    package let allowance: UInt64

    package init(quota: String, endpoint: String, interval: UInt64, requests: Int, allowance: UInt64) {
        self.quota = quota
        self.endpoint = endpoint
        self.interval = interval
        self.requests = requests
        self.allowance = allowance
    }
}

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

/// Where the slices of the quotas are leased that other processes use, too.
package protocol SliceSource: Sendable {
    /// How long a source that fails is asked again before what waits for its slices is given up.
    var patience: Duration { get }

    /// Leases the next slice of each; what it leaves out is asked for again.
    func lease(_ wanted: [WantedSlice]) async throws -> [LeasedSlice]
}
