// SPDX-License-Identifier: Apache-2.0

import Glibc
import Postgres
import SystemPackage

/// An unnamed file that takes a program's output.
///
/// A pipe would stay open for as long as a server that the program left.
@safe struct OutputFile: ~Copyable {
    /// Closed with this value; no child inherits it but as its stdout and stderr.
    let descriptor: FileDescriptor

    init() throws(PostgresError) {
        var path = Array("/tmp/subledger-output-XXXXXX".utf8CString)
        let number = unsafe path.withUnsafeMutableBufferPointer { path in
            guard let path = path.baseAddress else { return Int32(-1) }
            let number = unsafe mkstemp(path)
            if number >= 0 { unsafe unlink(path) }
            return number
        }
        guard number >= 0 else { throw ServerFiles.failure("no temporary file can be made in /tmp") }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        descriptor = FileDescriptor(rawValue: number)
    }

    deinit { try? descriptor.close() }

    /// What was written so far, of which 64 kilobytes are enough.
    func text() throws -> String {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = try unsafe bytes.withUnsafeMutableBytes {
            try unsafe descriptor.read(fromAbsoluteOffset: 0, into: $0)
        }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
