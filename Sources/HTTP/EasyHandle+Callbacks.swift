// SPDX-License-Identifier: Apache-2.0

import CLibCURL

/// What libcurl calls while a transfer runs, from inside `curl_multi_perform`.
extension EasyHandle {
    /// Hands libcurl the addresses it calls back with. Unretained: the handle outlives every transfer, because the
    /// loop takes it out of the multi handle before it lets go.
    func connectCallbacks() throws(Refusal) {
        let target = unsafe Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLOPT_PRIVATE, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_PREREQDATA] {
            unsafe try set(option, target)
        }
        unsafe try setReceiver(CURLOPT_WRITEFUNCTION) { bytes, size, count, target in
            guard let handle = unsafe EasyHandle.target(target) else { return 0 }
            let body = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            return unsafe handle.sink.receive(body: body) ? body.count : 0
        }
        unsafe try setReceiver(CURLOPT_HEADERFUNCTION) { bytes, size, count, target in
            guard let handle = unsafe EasyHandle.target(target) else { return 0 }
            let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            return unsafe handle.receive(header: line) ? line.count : 0
        }
        let result = unsafe withPointer {
            unsafe subledger_easy_set_prerequest($0) { target, _, _, _, _ in
                unsafe EasyHandle.target(target)?.sink.requestBegins()
                return CURL_PREREQFUNC_OK
            }
        }
        try accept(result, CURLOPT_PREREQFUNCTION)
    }

    /// Finds the owner of a pointer libcurl hands back.
    static func owner(of pointer: OpaquePointer?) -> EasyHandle? {
        var owner: UnsafeMutableRawPointer?
        guard let pointer = unsafe pointer, unsafe subledger_easy_get_private(pointer, &owner) == CURLE_OK else {
            return nil
        }
        return unsafe target(owner)
    }

    private static func target(_ pointer: UnsafeMutableRawPointer?) -> EasyHandle? {
        unsafe pointer.map { unsafe Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    private func setReceiver(_ option: CURLoption, _ receiver: @escaping curl_write_callback) throws(Refusal) {
        unsafe try accept(withPointer { unsafe subledger_easy_set_receiver($0, option, receiver) }, option)
    }

    /// Over HTTP/2 an answer ends where its stream ends. libcurl 7.88 would stop at Content-Length, a frame earlier,
    /// and then reset the stream; a server that counts resets, as all do since the rapid-reset attacks, closes the
    /// connection after some hundred answers. So libcurl is told not to look, before the field is read: the status
    /// line comes first. nghttp2 still compares the length with what came. Over HTTP/1.1 the field is needed.
    private func receive(header line: UnsafeRawBufferPointer) -> Bool {
        if unsafe line.starts(with: "HTTP/".utf8) {
            let isHTTP2 = unsafe line.starts(with: "HTTP/2".utf8)
            guard (try? set(CURLOPT_IGNORE_CONTENT_LENGTH, isHTTP2 ? 1 : 0)) != nil else { return false }
        }
        return unsafe sink.receive(header: line)
    }
}
