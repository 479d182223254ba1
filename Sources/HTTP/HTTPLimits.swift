// SPDX-License-Identifier: Apache-2.0

/// The bounds within which an answer must arrive, so that one slow or hostile host cannot hold a night up.
///
/// Times are counted from the moment the request leaves the client's own queue.
package struct HTTPLimits: Sendable, Hashable {
    /// How long name resolution, TCP and TLS may take together.
    package var connect: Duration

    /// How long the server may stay silent after the request was sent on its connection.
    package var firstByte: Duration

    /// The least rate of an answer under way, in bytes a second; 0 switches the check off.
    package var lowSpeedBytesPerSecond: Int

    /// Over how long that rate is measured.
    package var lowSpeedTime: Duration

    /// How long the whole exchange may take.
    package var total: Duration

    /// The most body bytes accepted, counted after decompression.
    package var maximumBodyBytes: Int

    /// The most header bytes accepted, informational answers and trailers included.
    package var maximumHeaderBytes: Int

    /// The defaults are the house's limits for store APIs; tests shorten them.
    package init(
        connect: Duration = .seconds(10), firstByte: Duration = .seconds(30), lowSpeedBytesPerSecond: Int = 100,
        lowSpeedTime: Duration = .seconds(20), total: Duration = .seconds(60),
        maximumBodyBytes: Int = 8 * 1024 * 1024, maximumHeaderBytes: Int = 64 * 1024
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.lowSpeedBytesPerSecond = lowSpeedBytesPerSecond
        self.lowSpeedTime = lowSpeedTime
        self.total = total
        self.maximumBodyBytes = maximumBodyBytes
        self.maximumHeaderBytes = maximumHeaderBytes
    }
}
