// SPDX-License-Identifier: Apache-2.0

import CLibCURL
import Foundation

/// Drives all transfers of one client, on one thread of its own.
///
/// libcurl's multi interface does the work without blocking; only the waiting in between blocks, which is why this
/// runs on a thread rather than on Swift's cooperative pool. Everything here is used by that thread alone.
final class TransferLoop {
    /// How often the pace of the transfers is assessed.
    private static let assessmentInterval = Duration.milliseconds(50)
    /// How long to wait when nothing is in flight; a wakeup ends it.
    private static let idleWait: Int32 = 60_000
    /// From so many transfers on, what comes within a millisecond is taken together: libcurl looks at each of them whenever
    /// one moves, and every answer taken alone resumes a thread of its own.
    private static let gathering = (transfers: 16, seconds: 0.001)

    private let mailbox: Mailbox
    private let configuration: HTTPClientConfiguration
    private let multi: MultiHandle
    private var lanes: [String: Lane] = [:]
    private var active: [ObjectIdentifier: EasyHandle] = [:]
    private var idle: [EasyHandle] = []
    private var lastAssessed = ContinuousClock.now

    private init(_ mailbox: Mailbox, _ configuration: HTTPClientConfiguration) {
        self.mailbox = mailbox
        self.configuration = configuration
        multi = MultiHandle(configuration)
    }

    /// Starts the thread.
    ///
    /// It ends when the mailbox is stopped.
    static func start(_ mailbox: Mailbox, _ configuration: HTTPClientConfiguration) {
        let thread = Thread {
            BrokenPipeSignal.blockHere()
            runToEnd(mailbox, configuration)
            mailbox.signalEnd()
        }
        thread.name = "subledger.http"
        thread.stackSize = HTTPClientConfiguration.stackSize
        thread.start()
    }

    /// A function of its own so that all handles are freed, and connections closed, when it returns.
    private static func runToEnd(_ mailbox: Mailbox, _ configuration: HTTPClientConfiguration) {
        let loop = TransferLoop(mailbox, configuration)
        mailbox.open(interrupting: loop.multi)
        loop.run()
    }

    private func run() {
        while true {
            let delivery = mailbox.take()
            enqueue(delivery.submitted)
            if delivery.isStopping { return abortAll() }
            abort(delivery.cancelled)
            multi.perform()
            finishTransfers()
            assessPace()
            wait()
        }
    }

    private func wait() {
        let milliseconds = active.isEmpty ? Self.idleWait : Int32(Self.assessmentInterval.milliseconds)
        if !multi.wait(atMost: milliseconds) {
            // Without memory for the wait libcurl returns at once; do not spin.
            Thread.sleep(forTimeInterval: 0.05)
        }
        if active.count >= Self.gathering.transfers { Thread.sleep(forTimeInterval: Self.gathering.seconds) }
    }
}

/// Starting.
extension TransferLoop {
    /// A cancellation may have overtaken its request, in an earlier delivery or this one: such a request fails at once
    /// instead of waiting for a place.
    private func enqueue(_ exchanges: [Exchange]) {
        for exchange in exchanges {
            guard !exchange.cancellation.isRequested else {
                exchange.fail(.cancelled)
                continue
            }
            let key = exchange.origin.key
            lanes[key, default: Lane(capacity: configuration.capacity(over: configuration.version))].enqueue(exchange)
            startWaiting(in: key)
        }
    }

    private func startWaiting(in key: String) {
        while let exchange = lanes[key]?.next() {
            guard start(exchange) else {
                lanes[key]?.release()
                continue
            }
        }
    }

    /// Puts an exchange on the wire; when that cannot be done it fails and the result is false.
    private func start(_ exchange: Exchange) -> Bool {
        guard !exchange.cancellation.isRequested else {
            exchange.fail(.cancelled)
            return false
        }
        do throws(EasyHandle.Refusal) {
            let handle = try takeHandle()
            try handle.begin(exchange)
            let code = multi.add(handle)
            guard code == CURLM_OK else { throw EasyHandle.Refusal(reason: "libcurl multi code \(code.rawValue)") }
            active[ObjectIdentifier(exchange.cancellation)] = handle
            return true
        } catch {
            exchange.fail(.invalidRequest, reason: error.reason)
            return false
        }
    }

    private func takeHandle() throws(EasyHandle.Refusal) -> EasyHandle {
        if let handle = idle.popLast() { return handle }
        return try EasyHandle(configuration)
    }
}

/// Ending.
extension TransferLoop {
    private func finishTransfers() {
        while let (handle, result) = multi.nextFinished() {
            guard let exchange = handle.exchange else { continue }
            let outcome = handle.outcome(result, of: exchange)
            if case .success(let response) = outcome { adapt(exchange.origin.key, to: response.version) }
            retire(handle, of: exchange)
            exchange.finish(outcome)
        }
    }

    /// A server that turned HTTP/2 down serves one request a connection: more in flight would only wait in libcurl,
    /// where waiting counts against the limits.
    private func adapt(_ key: String, to version: HTTPVersion) {
        guard configuration.version == .http2 else { return }
        lanes[key]?.capacity = configuration.capacity(over: version)
    }

    /// Takes the transfer off the wire, keeps its handle for another, and lets the next one of its lane start.
    private func retire(_ handle: EasyHandle, of exchange: Exchange) {
        multi.remove(handle)
        active[ObjectIdentifier(exchange.cancellation)] = nil
        handle.end()
        idle.append(handle)
        lanes[exchange.origin.key]?.release()
        startWaiting(in: exchange.origin.key)
    }

    private func assessPace() {
        let now = ContinuousClock.now
        guard now - lastAssessed >= Self.assessmentInterval else { return }
        lastAssessed = now
        let handles = Array(active.values)
        let connected = Set(handles.filter { $0.sink.phase != .connecting }.compactMap(\.exchange?.origin.key))
        for handle in handles {
            guard let exchange = handle.exchange,
                let code = handle.brokenLimit(at: now, isHostConnected: connected.contains(exchange.origin.key))
            else { continue }
            retire(handle, of: exchange)
            exchange.fail(code)
        }
    }

    private func abort(_ cancellations: [Cancellation]) {
        guard !cancellations.isEmpty else { return }
        for key in Array(lanes.keys) {
            let waiting = lanes[key]?.removeWaiting { $0.cancellation.isRequested } ?? []
            for exchange in waiting { exchange.fail(.cancelled) }
        }
        for cancellation in cancellations {
            guard let handle = active[ObjectIdentifier(cancellation)], let exchange = handle.exchange else { continue }
            retire(handle, of: exchange)
            exchange.fail(.cancelled)
        }
    }

    private func abortAll() {
        for key in Array(lanes.keys) {
            let waiting = lanes[key]?.removeWaiting { _ in true } ?? []
            for exchange in waiting { exchange.fail(.shutDown) }
        }
        for handle in Array(active.values) {
            guard let exchange = handle.exchange else { continue }
            retire(handle, of: exchange)
            exchange.fail(.shutDown)
        }
    }
}
