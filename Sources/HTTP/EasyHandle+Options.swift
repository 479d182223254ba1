// SPDX-License-Identifier: Apache-2.0

import CLibCURL

/// What is true of every transfer, set once when the handle is made.
extension EasyHandle {
    func setInvariants(_ configuration: HTTPClientConfiguration) throws(Refusal) {
        try setSecurity(configuration)
        try set(CURLOPT_NOSIGNAL, 1)
        // A name server that does not answer must not hold the loop up when its transfer is given up.
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_TCP_KEEPALIVE, 1)
        try set(CURLOPT_USERAGENT, configuration.userAgent)
        try set(CURLOPT_ACCEPT_ENCODING, "gzip")
        // Encoded segments go out as they are, "." and ".." included.
        try set(CURLOPT_PATH_AS_IS, 1)
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        if configuration.version == .http2 {
            try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
            // Wait for a connection under way and share it, rather than open one for each request.
            try set(CURLOPT_PIPEWAIT, 1)
        } else {
            try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        }
    }

    private func setSecurity(_ configuration: HTTPClientConfiguration) throws(Refusal) {
        try setTrust(certificateAuthorityFile: configuration.certificateAuthorityFile)
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_UNRESTRICTED_AUTH, 0)
        // An empty proxy keeps libcurl from reading the environment's.
        try set(CURLOPT_PROXY, configuration.proxy ?? "")
        try set(CURLOPT_NOPROXY, "")
        try set(CURLOPT_HTTP09_ALLOWED, 0)
    }
}

/// What changes from one transfer to the next.
extension EasyHandle {
    func setRequest(_ exchange: Exchange) throws(Refusal) {
        try set(CURLOPT_PROTOCOLS_STR, exchange.origin.isPlaintext ? "http" : "https")
        try set(CURLOPT_URL, exchange.request.url)
        try set(CURLOPT_CONNECTTIMEOUT_MS, exchange.limits.connect.milliseconds)
        try set(CURLOPT_TIMEOUT_MS, exchange.limits.total.milliseconds)
        // Refuses an announced size before the first byte; the sink refuses what comes unannounced.
        try set(CURLOPT_MAXFILESIZE_LARGE, offset: exchange.limits.maximumBodyBytes)
        switch exchange.request.method {
        case .get: try set(CURLOPT_HTTPGET, 1)
        case .post: try setBody(exchange.request.body ?? [])
        }
    }

    private func setBody(_ body: [UInt8]) throws(Refusal) {
        try set(CURLOPT_POST, 1)
        try set(CURLOPT_POSTFIELDSIZE_LARGE, offset: body.count)
        guard !body.isEmpty else { return try set(CURLOPT_COPYPOSTFIELDS, "") }
        let result = unsafe withPointer { handle in
            unsafe body.withUnsafeBytes { bytes in
                unsafe subledger_easy_set_pointer(
                    handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
            }
        }
        try accept(result, CURLOPT_COPYPOSTFIELDS)
    }

    /// Frees libcurl's copies of what may be secret.
    ///
    /// Taking an option back cannot fail.
    func forgetRequest() {
        unsafe withPointer { handle in
            _ = unsafe subledger_easy_set_list(handle, CURLOPT_HTTPHEADER, nil)
            _ = unsafe subledger_easy_set_string(handle, CURLOPT_COPYPOSTFIELDS, nil)
            _ = unsafe subledger_easy_set_string(handle, CURLOPT_URL, nil)
        }
    }
}
