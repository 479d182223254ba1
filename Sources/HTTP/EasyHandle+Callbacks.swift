// SPDX-License-Identifier: Apache-2.0

import CLibCURL

/// What libcurl calls while a transfer runs, from inside `curl_multi_perform`.
extension EasyHandle {
    /// Hands libcurl the addresses it calls back with.
    ///
    /// Unretained: the handle outlives every transfer, because the loop takes it out of the multi handle before it lets
    /// go.
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
            return unsafe handle.sink.receive(header: line) ? line.count : 0
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
    static func owner(of pointer: subledger_easy_pointer?) -> EasyHandle? {
        var owner: UnsafeMutableRawPointer?
        guard let pointer = unsafe pointer, unsafe subledger_easy_get_private(pointer, &owner) == CURLE_OK else {
            return nil
        }
        return unsafe target(owner)
    }

    private static func target(_ pointer: UnsafeMutableRawPointer?) -> EasyHandle? {
        unsafe pointer.map { unsafe Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
    }
}
