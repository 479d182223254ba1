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
