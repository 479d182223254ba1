// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Why the system refused something, in its own short words ("No space left on device"): what Foundation says of its
/// errors is not for people.
package enum SystemReason {
    package static func of(_ error: any Error) -> String {
        let error = error as NSError
        if error.domain == NSPOSIXErrorDomain { return unsafe String(cString: strerror(Int32(error.code))) }
        if let cause = error.userInfo[NSUnderlyingErrorKey] as? any Error { return of(cause) }
        return words[CocoaError.Code(rawValue: error.code)] ?? "system error \(error.code)"
    }

    private static let words: [CocoaError.Code: String] = [
        .fileNoSuchFile: "No such file or directory", .fileReadNoSuchFile: "No such file or directory",
        .fileReadNoPermission: "Permission denied", .fileWriteNoPermission: "Permission denied",
        .fileWriteOutOfSpace: "No space left on device", .fileWriteFileExists: "File exists",
        .fileWriteVolumeReadOnly: "Read-only file system",
    ]
}
