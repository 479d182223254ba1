// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// The process's one copy of OpenSSL, which libcurl and libpq share with us.
package enum CryptographyLibrary {
    /// Keeps OpenSSL's state until the process is gone.
    ///
    /// To be called before anything else uses the library.
    ///
    /// By itself OpenSSL frees its state when `exit` is called, while threads that are just ending (a connection's, a
    /// transfer's) still clean up their share of it: a program that has done its work would end with a crash.
    package static func retainUntilExit() {
        _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    }
}
