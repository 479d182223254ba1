// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A stream or file of the process.
///
/// A write that fails half-way is reported like one that never began.
struct SystemOutput {
    static let standardOutput = SystemOutput(descriptor: STDOUT_FILENO)
    static let standardError = SystemOutput(descriptor: STDERR_FILENO)

    let descriptor: Int32

    /// Why the text could not be written, in the system's words; nil where it was.
    ///
    /// A reader that went away is no reason.
    func write(_ text: String) -> String? {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno == EPIPE {
                return nil
            } else if errno != EINTR {
                return unsafe String(cString: strerror(errno))
            }
        }
        return nil
    }
}
