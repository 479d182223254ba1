// SPDX-License-Identifier: Apache-2.0

import CLibCURL

/// Owns one libcurl easy handle and what one transfer needs while it runs. Used again and again by the loop's thread.
@safe final class EasyHandle {
    /// libcurl would not take an option: it was built without a feature, or has no memory.
    struct Refusal: Error {
        /// What to tell the caller.
        let reason: String
    }

    private let pointer: OpaquePointer
    private let sink = ResponseSink()
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
    func withPointer<T, E: Error>(_ body: (OpaquePointer) throws(E) -> T) throws(E) -> T {
        unsafe try body(pointer)
    }

    /// Finds the owner of a pointer libcurl hands back.
    static func owner(of pointer: OpaquePointer?) -> EasyHandle? {
        var owner: UnsafeMutableRawPointer?
        guard let pointer = unsafe pointer, unsafe subledger_easy_get_private(pointer, &owner) == CURLE_OK,
            let owner = unsafe owner
        else { return nil }
        return unsafe Unmanaged<EasyHandle>.fromOpaque(owner).takeUnretainedValue()
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
    func brokenLimit(at now: ContinuousClock.Instant) -> HTTPError.Code? {
        guard let exchange else { return nil }
        return pace.judge(sink.observation, at: now, limits: exchange.limits)
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

    /// Hands libcurl the addresses it calls back with. Unretained: the handle outlives every transfer, because the
    /// loop takes it out of the multi handle before it lets go.
    private func connectCallbacks() throws(Refusal) {
        let target = unsafe Unmanaged.passUnretained(sink).toOpaque()
        unsafe try set(CURLOPT_PRIVATE, Unmanaged.passUnretained(self).toOpaque())
        unsafe try set(CURLOPT_WRITEDATA, target)
        unsafe try set(CURLOPT_HEADERDATA, target)
        unsafe try set(CURLOPT_PREREQDATA, target)
        unsafe try accept(
            subledger_easy_set_receiver(pointer, CURLOPT_WRITEFUNCTION, receiveBody), CURLOPT_WRITEFUNCTION)
        unsafe try accept(
            subledger_easy_set_receiver(pointer, CURLOPT_HEADERFUNCTION, receiveHeader), CURLOPT_HEADERFUNCTION)
        unsafe try accept(subledger_easy_set_prerequest(pointer, beginRequest), CURLOPT_PREREQFUNCTION)
    }
}

private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ target: UnsafeMutableRawPointer?
) -> Int {
    guard let target = unsafe target else { return 0 }
    let sink = unsafe Unmanaged<ResponseSink>.fromOpaque(target).takeUnretainedValue()
    let length = size * count
    return unsafe sink.receive(body: UnsafeRawBufferPointer(start: bytes, count: length)) ? length : 0
}

private func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ target: UnsafeMutableRawPointer?
) -> Int {
    guard let target = unsafe target else { return 0 }
    let sink = unsafe Unmanaged<ResponseSink>.fromOpaque(target).takeUnretainedValue()
    let length = size * count
    return unsafe sink.receive(header: UnsafeRawBufferPointer(start: bytes, count: length)) ? length : 0
}

private func beginRequest(
    _ target: UnsafeMutableRawPointer?, _ remoteAddress: UnsafeMutablePointer<CChar>?,
    _ localAddress: UnsafeMutablePointer<CChar>?, _ remotePort: Int32, _ localPort: Int32
) -> Int32 {
    guard let target = unsafe target else { return CURL_PREREQFUNC_ABORT }
    unsafe Unmanaged<ResponseSink>.fromOpaque(target).takeUnretainedValue().requestBegins()
    return CURL_PREREQFUNC_OK
}
