// SPDX-License-Identifier: Apache-2.0

import CLibCURL

/// Owns one libcurl easy handle and what one transfer needs while it runs.
///
/// Used again and again by the loop's thread.
@safe final class EasyHandle: EasyOptions {
    /// libcurl would not take an option: it was built without a feature, or has no memory.
    struct Refusal: Error {
        /// Reported to the caller.
        let reason: String
    }

    private let pointer: subledger_easy_pointer
    let sink = ResponseSink()
    private var headers: HeaderList?
    private var pace = TransferPace()
    private(set) var exchange: Exchange?

    init(_ configuration: HTTPClientConfiguration) throws(Refusal) {
        guard let created = unsafe curl_easy_init() else { throw Refusal(reason: "libcurl has no memory") }
        unsafe pointer = created
        try setInvariants(configuration)
        try connectCallbacks()
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
    }

    /// Lends the pointer; it must not outlive the call.
    func withPointer<T, E: Error>(_ body: (subledger_easy_pointer) throws(E) -> T) throws(E) -> T {
        unsafe try body(pointer)
    }

    /// Takes an exchange on: after this the handle can be added to the multi handle.
    func begin(_ exchange: Exchange) throws(Refusal) {
        self.exchange = exchange
        sink.begin(limits: exchange.limits)
        pace = TransferPace()
        let list = HeaderList(exchange.request)
        headers = list
        unsafe try list.withPointer { pointer throws(Refusal) in unsafe try set(CURLOPT_HTTPHEADER, list: pointer) }
        try setRequest(exchange)
    }

    /// Returns the limit the running transfer has broken, or nil.
    func brokenLimit(at now: ContinuousClock.Instant, isHostConnected: Bool) -> HTTPError.Code? {
        guard let exchange else { return nil }
        return pace.assess(sink.observation, at: now, limits: exchange.limits, isHostConnected: isHostConnected)
    }

    /// Reads the outcome of a finished transfer.
    func outcome(_ result: CURLcode, of exchange: Exchange) -> Exchange.Outcome {
        guard result == CURLE_OK else { return .failure(error(result, of: exchange)) }
        let version = get(CURLINFO_HTTP_VERSION)
        return .success(
            HTTPResponse(
                status: get(CURLINFO_RESPONSE_CODE), headers: HTTPHeaders(block: sink.headerBlock), body: sink.body,
                version: version == Int(CURL_HTTP_VERSION_2_0) ? .http2 : .http1))
    }

    /// Lets go of the exchange and of every secret in its request.
    func end() {
        exchange = nil
        sink.begin(limits: HTTPLimits())
        forgetRequest()
        headers = nil
    }

    private func error(_ result: CURLcode, of exchange: Exchange) -> HTTPError {
        let code = sink.violation ?? HTTPError.Code(result, phase: sink.phase)
        let reason = HTTPError.Code.reason(
            result, verifyResult: get(CURLINFO_SSL_VERIFYRESULT), systemError: get(CURLINFO_OS_ERRNO))
        return HTTPError(
            code, host: exchange.origin.host, route: exchange.request.route,
            reason: sink.violation == nil ? reason : nil)
    }
}
