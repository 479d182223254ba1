// SPDX-License-Identifier: Apache-2.0

import Foundation

/// OpenSSL writes to sockets the peer may have closed, and libcurl leaves the signal to us (`CURLOPT_NOSIGNAL`).
enum BrokenPipeSignal {
    /// Blocked for this thread only, the write fails with an error instead of ending the process.
    static func blockHere() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
