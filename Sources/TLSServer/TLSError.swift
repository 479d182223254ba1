// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// TLS could not do what it was asked.
package struct TLSError: Error, CustomStringConvertible {
    package let description: String

    /// The oldest of OpenSSL's errors of this thread, which are forgotten with it.
    static func last(_ action: String) -> TLSError {
        let reason = unsafe ERR_reason_error_string(ERR_get_error()).map { unsafe String(cString: $0) }
        ERR_clear_error()
        return TLSError(description: "TLS: \(action) failed: \(reason ?? "no reason given")")
    }
}
