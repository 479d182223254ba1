// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// The calling thread's queue of OpenSSL errors, emptied after every failed call so that none is blamed on the next.
enum OpenSSLErrorQueue {
    /// Empties the queue and returns the distinct reasons, or nil when it was empty.
    ///
    /// Only OpenSSL's fixed reason texts are used: the data it attaches to an error may quote the input.
    static func drain() -> String? {
        var reasons: [String] = []
        while case let code = ERR_get_error(), code != 0 {
            guard let text = unsafe ERR_reason_error_string(code) else { continue }
            let reason = unsafe String(cString: text)
            if !reasons.contains(reason) { reasons.append(reason) }
        }
        return reasons.isEmpty ? nil : "OpenSSL: " + reasons.joined(separator: ", ")
    }

    /// An error of the given kind, with what OpenSSL said about it.
    static func error(_ code: SigningError.Code) -> SigningError {
        SigningError(code, detail: drain())
    }
}
