// SPDX-License-Identifier: Apache-2.0

/// Collects one answer as libcurl delivers it and refuses what exceeds the limits.
///
/// Used by the loop's thread only: libcurl calls back from inside `curl_multi_perform`.
final class ResponseSink {
    private(set) var headerBlock: [UInt8] = []
    private(set) var body: [UInt8] = []
    private(set) var phase = TransferPhase.connecting
    /// The limit that was exceeded, if one was; libcurl itself then only says that writing failed.
    private(set) var violation: HTTPError.Code?

    private var connectingSince = ContinuousClock.now
    private var waitingSince = ContinuousClock.now
    private var headerBytes = 0
    private var limits = HTTPLimits()

    /// Forgets the last answer.
    func begin(limits: HTTPLimits) {
        self.limits = limits
        headerBlock = []
        body = []
        phase = .connecting
        connectingSince = .now
        violation = nil
        headerBytes = 0
    }

    /// What the pace is assessed by.
    var observation: TransferPace.Observation {
        TransferPace.Observation(
            phase: phase, connectingSince: connectingSince, waitingSince: waitingSince,
            received: headerBytes + body.count)
    }

    /// A connection is ready.
    ///
    /// Called again when libcurl repeats a request on another connection.
    func requestBegins() {
        phase = .waiting
        waitingSince = .now
    }

    /// Takes one header line; false aborts the transfer.
    ///
    /// All lines count, those of informational answers too, but only the lines after the last status line are kept.
    func receive(header line: UnsafeRawBufferPointer) -> Bool {
        phase = .receiving
        headerBytes += line.count
        guard headerBytes <= limits.maximumHeaderBytes else {
            violation = .headersTooLarge
            return false
        }
        if unsafe line.starts(with: "HTTP/".utf8) {
            headerBlock.removeAll(keepingCapacity: true)
            headerBlock.reserveCapacity(1_024)
        } else {
            unsafe headerBlock.append(contentsOf: line)
        }
        return true
    }

    /// Takes decompressed body bytes; false aborts the transfer.
    func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
        phase = .receiving
        guard bytes.count <= limits.maximumBodyBytes - body.count else {
            violation = .bodyTooLarge
            return false
        }
        unsafe body.append(contentsOf: bytes)
        return true
    }
}
