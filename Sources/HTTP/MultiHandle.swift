// SPDX-License-Identifier: Apache-2.0

import CLibCURL

/// Owns one libcurl multi handle: the connections of a client and the transfers on them.
///
/// `@unchecked Sendable`: libcurl allows one function of a multi handle from any thread, `curl_multi_wakeup`, and
/// `interrupt()` is the only method called off the loop's thread. The pointer itself never changes. The last reference
/// is the loop's (the mailbox lets go first), so the handle is also freed on that thread.
@safe final class MultiHandle: @unchecked Sendable {
    private let pointer: subledger_multi_pointer?

    init(_ configuration: HTTPClientConfiguration) {
        unsafe pointer = Library.isReady ? curl_multi_init() : nil
        set(CURLMOPT_PIPELINING, configuration.version == .http2 ? Int(CURLPIPE_MULTIPLEX) : Int(CURLPIPE_NOTHING))
        set(CURLMOPT_MAX_HOST_CONNECTIONS, max(1, configuration.maximumConnectionsPerHost))
        // Those of many apps' hosts would add up.
        set(CURLMOPT_MAXCONNECTS, 4 * max(1, configuration.maximumConnectionsPerHost))
        set(CURLMOPT_MAX_CONCURRENT_STREAMS, configuration.capacity(over: .http2))
    }

    deinit {
        unsafe curl_multi_cleanup(pointer)
    }

    /// Ends a `wait` under way, or the next one.
    ///
    /// From any thread.
    func interrupt() {
        _ = unsafe curl_multi_wakeup(pointer)
    }

    /// Adds a prepared transfer; returns libcurl's code when it will not take it.
    func add(_ handle: EasyHandle) -> CURLMcode {
        unsafe handle.withPointer { unsafe curl_multi_add_handle(pointer, $0) }
    }

    /// Takes a transfer out, finished or not.
    ///
    /// An unfinished HTTP/2 stream is reset, its connection lives on.
    func remove(_ handle: EasyHandle) {
        _ = unsafe handle.withPointer { unsafe curl_multi_remove_handle(pointer, $0) }
    }

    /// Moves every transfer forward as far as it goes without waiting.
    func perform() {
        var running: Int32 = 0
        _ = unsafe curl_multi_perform(pointer, &running)
    }

    /// Waits for a socket, a timer of libcurl's or a wakeup; false when libcurl could not wait.
    func wait(atMost milliseconds: Int32) -> Bool {
        unsafe curl_multi_poll(pointer, nil, 0, milliseconds, nil) == CURLM_OK
    }

    /// Returns the next finished transfer and libcurl's result.
    func nextFinished() -> (handle: EasyHandle, result: CURLcode)? {
        var remaining: Int32 = 0
        while let message = unsafe curl_multi_info_read(pointer, &remaining) {
            guard unsafe message.pointee.msg == CURLMSG_DONE,
                let handle = unsafe EasyHandle.owner(of: message.pointee.easy_handle)
            else { continue }
            return unsafe (handle, subledger_message_result(message))
        }
        return nil
    }

    private func set(_ option: CURLMoption, _ value: Int) {
        _ = unsafe subledger_multi_set_long(pointer, option, value)
    }
}

/// The library's own state, which must be made once before any handle.
enum Library {
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
